// Version 4: the worktrees that Holdfast has made.

export const worktreeTables = /* sql */ `
-- Written down before git is asked for one; gone when nothing is left of it.
CREATE TABLE worktrees (
  path TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('making', 'made', 'deleting')),
  -- The workspace that it is; none yet while it is made.
  workspaceId TEXT UNIQUE,
  parentWorkspaceId TEXT NOT NULL,
  -- The folder that all worktrees of its repository have in common.
  repository TEXT NOT NULL,
  branch TEXT NOT NULL,
  -- The commit that the branch began at.
  base TEXT NOT NULL,
  -- What tells its folder from another one at the same path, from the moment on at which it is deleted.
  folderIdentity TEXT,
  createdAtMs INTEGER NOT NULL,
  CHECK ((state = 'making') = (workspaceId IS NULL)),
  CHECK ((state = 'deleting') = (folderIdentity IS NOT NULL))
) STRICT;
`;
