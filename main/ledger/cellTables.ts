// Version 4: scripts, their runs, and what the runs have done.

export const cellTables = /* sql */ `
CREATE TABLE scripts (
  scriptId TEXT PRIMARY KEY,
  name ANY NOT NULL,
  source ANY NOT NULL,
  revision INTEGER NOT NULL,
  createdAtMs INTEGER NOT NULL,
  updatedAtMs INTEGER NOT NULL,
  -- Kept for a while, so that it can be brought back.
  deletedAtMs INTEGER
) STRICT;

CREATE TABLE cell_runs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  runId TEXT NOT NULL UNIQUE,
  scriptId TEXT,
  scriptName ANY NOT NULL,
  source ANY NOT NULL,
  workspaceId TEXT NOT NULL,
  workspaceName ANY NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'stopped', 'cut off')),
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  startedAtMs INTEGER NOT NULL,
  endedAtMs INTEGER,
  outputBytes INTEGER NOT NULL DEFAULT 0,
  CHECK ((state = 'running') = (endedAtMs IS NULL))
) STRICT;

-- Several items in a row, as they came: a script can write very many small ones.
CREATE TABLE cell_output (
  runId TEXT NOT NULL REFERENCES cell_runs (runId) ON DELETE CASCADE,
  -- The number of the first of them, from 0, without gaps.
  position INTEGER NOT NULL,
  count INTEGER NOT NULL,
  items TEXT NOT NULL CHECK (json_valid(items)),
  bytes INTEGER NOT NULL,
  PRIMARY KEY (runId, position)
) STRICT;

CREATE TABLE cell_calls (
  runId TEXT NOT NULL REFERENCES cell_runs (runId) ON DELETE CASCADE,
  callId INTEGER NOT NULL,
  tool TEXT NOT NULL,
  summary ANY NOT NULL,
  threadId TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'cut off')),
  error ANY,
  startedAtMs INTEGER NOT NULL,
  endedAtMs INTEGER,
  PRIMARY KEY (runId, callId)
) STRICT;

-- The threads that a run has started; the key is the thread's id, or its provisional key before codex has named it.
CREATE TABLE cell_threads (
  threadKey TEXT PRIMARY KEY,
  threadId TEXT,
  runId TEXT NOT NULL REFERENCES cell_runs (runId) ON DELETE CASCADE
) STRICT;
CREATE INDEX cell_threads_by_run ON cell_threads (runId);
CREATE INDEX cell_threads_by_id ON cell_threads (threadId) WHERE threadId IS NOT NULL;

-- The messages that a run has sent, by the client id of their submission.
CREATE TABLE cell_messages (
  clientId TEXT PRIMARY KEY,
  runId TEXT NOT NULL REFERENCES cell_runs (runId) ON DELETE CASCADE
) STRICT;
CREATE INDEX cell_messages_by_run ON cell_messages (runId);

-- What scripts have stored for later ones of their workspace.
CREATE TABLE cell_values (
  workspaceId TEXT NOT NULL,
  key ANY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  PRIMARY KEY (workspaceId, key)
) STRICT;
`;
