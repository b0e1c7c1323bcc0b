// Version 1 of the tables. Times are milliseconds since 1970 UTC. Free text is ANY: see exactText.ts. JSON is checked to
// be JSON. States are checked here and their order in the files that change them.

export const firstTables = /* sql */ `
CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name ANY NOT NULL,
  parentId TEXT REFERENCES workspaces (id),
  addedAtMs INTEGER NOT NULL,
  lastOpenedAtMs INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
) STRICT;

CREATE TABLE threads (
  threadId TEXT PRIMARY KEY,
  workspaceId TEXT NOT NULL REFERENCES workspaces (id),
  profileId TEXT NOT NULL,
  title ANY NOT NULL,
  preview ANY NOT NULL,
  createdAtMs INTEGER NOT NULL,
  updatedAtMs INTEGER NOT NULL,
  archived INTEGER NOT NULL CHECK (archived IN (0, 1)),
  lastKnownState TEXT NOT NULL,
  parentThreadId TEXT,
  source TEXT NOT NULL,
  lastSeenTurnId TEXT,
  unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1))
) STRICT;
CREATE INDEX threads_by_workspace ON threads (workspaceId, archived, updatedAtMs);
CREATE INDEX threads_by_parent ON threads (parentThreadId) WHERE parentThreadId IS NOT NULL;

-- What the person chose for a thread; the key is the thread's id, or its provisional key before codex has named it.
CREATE TABLE thread_settings (
  threadKey TEXT PRIMARY KEY,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  updatedAtMs INTEGER NOT NULL
) STRICT;

CREATE TABLE drafts (
  key TEXT PRIMARY KEY,
  text ANY NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  updatedAtMs INTEGER NOT NULL
) STRICT;

CREATE TABLE parked_drafts (
  parkedId INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  text ANY NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  updatedAtMs INTEGER NOT NULL,
  parkedAtMs INTEGER NOT NULL
) STRICT;

CREATE TABLE submissions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  clientId TEXT NOT NULL UNIQUE,
  threadKey TEXT NOT NULL,
  threadId TEXT,
  workspaceId TEXT NOT NULL REFERENCES workspaces (id),
  profileId TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('turn', 'steer', 'queue')),
  text ANY NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  state TEXT NOT NULL CHECK (state IN ('recorded', 'sending', 'sent', 'delivered', 'undelivered', 'discarded')),
  turnId TEXT,
  fault TEXT CHECK (fault IS NULL OR json_valid(fault)),
  createdAtMs INTEGER NOT NULL,
  updatedAtMs INTEGER NOT NULL,
  settledAtMs INTEGER
) STRICT;
CREATE INDEX submissions_open ON submissions (threadKey) WHERE state NOT IN ('delivered', 'discarded');
CREATE INDEX submissions_settled ON submissions (settledAtMs) WHERE settledAtMs IS NOT NULL;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

CREATE TABLE windows (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  place TEXT NOT NULL CHECK (json_valid(place)),
  layout TEXT NOT NULL CHECK (json_valid(layout))
) STRICT;

CREATE TABLE handles (
  handleId TEXT PRIMARY KEY,
  sessionId TEXT NOT NULL,
  workspaceId TEXT NOT NULL,
  profileId TEXT NOT NULL,
  marker TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('intended', 'running', 'closing', 'retired', 'gone')),
  command TEXT NOT NULL CHECK (json_valid(command)),
  socketPath TEXT,
  logPath TEXT,
  pid INTEGER,
  startTime TEXT,
  processGroup INTEGER,
  intendedAtMs INTEGER NOT NULL,
  startedAtMs INTEGER,
  endedAtMs INTEGER,
  exit TEXT CHECK (exit IS NULL OR json_valid(exit)),
  CHECK ((pid IS NULL) = (startTime IS NULL))
) STRICT;
CREATE INDEX handles_not_gone ON handles (sessionId) WHERE state <> 'gone';

CREATE TABLE cleanups (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (json_valid(subject)),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'done')),
  attempts INTEGER NOT NULL DEFAULT 0,
  createdAtMs INTEGER NOT NULL,
  lastAttemptAtMs INTEGER,
  lastError TEXT CHECK (lastError IS NULL OR json_valid(lastError)),
  nextAttemptAtMs INTEGER NOT NULL,
  doneAtMs INTEGER
) STRICT;
CREATE INDEX cleanups_open ON cleanups (nextAttemptAtMs) WHERE state = 'open';

-- Items that have begun and not ended: codex does not repeat them to a connection that comes later.
CREATE TABLE running_items (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  threadId TEXT NOT NULL,
  turnId TEXT NOT NULL,
  itemId TEXT NOT NULL,
  kind TEXT NOT NULL,
  itemJson TEXT NOT NULL CHECK (json_valid(itemJson)),
  textSoFar ANY NOT NULL,
  updatedAtMs INTEGER NOT NULL,
  UNIQUE (threadId, itemId)
) STRICT;

-- An id is unique on its process only, and 0 and "0" are two ids: it is kept as JSON.
CREATE TABLE requests (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  handleId TEXT NOT NULL REFERENCES handles (handleId) ON DELETE CASCADE,
  requestId TEXT NOT NULL CHECK (json_valid(requestId)),
  threadId TEXT,
  method TEXT NOT NULL,
  params TEXT NOT NULL CHECK (json_valid(params)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'answered', 'resolved', 'withdrawn')),
  answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
  askedAtMs INTEGER NOT NULL,
  answeredAtMs INTEGER,
  endedAtMs INTEGER,
  UNIQUE (handleId, requestId)
) STRICT;
CREATE INDEX requests_open ON requests (handleId) WHERE state IN ('waiting', 'answered');
`;
