// Version 8: threads that are to begin in a worktree of their own, and what is done in a new worktree.

export const worktreeStartTables = /* sql */ `
-- Written down with the message before anything is made; gone when the thread has it.
CREATE TABLE worktree_starts (
  startId TEXT PRIMARY KEY,
  clientId TEXT NOT NULL UNIQUE,
  threadKey TEXT NOT NULL UNIQUE,
  -- Where the message was written.
  workspaceId TEXT NOT NULL,
  -- What the worktree becomes.
  worktreeWorkspaceId TEXT NOT NULL UNIQUE,
  -- None yet before git is asked for it.
  path TEXT UNIQUE,
  branch TEXT NOT NULL,
  base TEXT,
  text ANY NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  state TEXT NOT NULL CHECK (json_valid(state)),
  createdAtMs INTEGER NOT NULL
) STRICT;

-- By the workspace that the worktrees belong to. Only ever what the person has typed.
CREATE TABLE worktree_setups (
  workspaceId TEXT PRIMARY KEY,
  script ANY NOT NULL,
  copies TEXT NOT NULL CHECK (json_valid(copies))
) STRICT;
`;
