// Version 5: environments, their tokens, what runs in them, and which thread uses which.

export const environmentTables = /* sql */ `
CREATE TABLE environments (
  environmentId TEXT PRIMARY KEY,
  name ANY NOT NULL,
  -- Never a token.
  registry TEXT NOT NULL CHECK (json_valid(registry)),
  createdAtMs INTEGER NOT NULL
) STRICT;

-- As the platform's key store has sealed them. Where there is none only the name is kept, so that it is known what was there.
CREATE TABLE environment_tokens (
  environmentId TEXT NOT NULL REFERENCES environments (environmentId) ON DELETE CASCADE,
  name ANY NOT NULL,
  sealed BLOB,
  PRIMARY KEY (environmentId, name)
) STRICT;

-- What was begun at an executor, on record before it was asked for. Without the processes' environments: there may be secrets.
CREATE TABLE executor_sessions (
  sessionId TEXT PRIMARY KEY,
  environmentId TEXT NOT NULL,
  identity TEXT NOT NULL,
  beganAtMs INTEGER NOT NULL,
  endedAtMs INTEGER
) STRICT;

CREATE TABLE executor_processes (
  processId TEXT PRIMARY KEY,
  sessionId TEXT NOT NULL,
  argv TEXT NOT NULL CHECK (json_valid(argv)),
  cwd ANY NOT NULL,
  beganAtMs INTEGER NOT NULL,
  endedAtMs INTEGER,
  outcome TEXT CHECK (outcome IN ('closed', 'lost', 'not started')),
  CHECK ((outcome IS NULL) = (endedAtMs IS NULL))
) STRICT;

-- Where the commands of a thread run; not listed: on this machine. codex forgets it with its process. The key is the thread's
-- id, or its provisional key before codex has named it. It outlives its environment, so that nothing runs elsewhere unasked.
CREATE TABLE thread_environments (
  threadKey TEXT PRIMARY KEY,
  environmentId TEXT NOT NULL,
  cwd ANY NOT NULL
) STRICT;
CREATE INDEX thread_environments_by_environment ON thread_environments (environmentId);
`;
