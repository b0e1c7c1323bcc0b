// Version 7: terminals on this machine.

export const terminalTables = /* sql */ `
-- What runs in the folder of a workspace, on record before it is started and struck off when nothing of it is left. All that it
-- starts carries the terminal's id in its environment. The leader is not known before it runs.
CREATE TABLE terminals (
  terminalId TEXT PRIMARY KEY,
  workspaceId TEXT NOT NULL,
  command ANY,
  cwd ANY NOT NULL,
  leaderPid INTEGER,
  leaderStartTime TEXT,
  beganAtMs INTEGER NOT NULL,
  CHECK ((leaderPid IS NULL) = (leaderStartTime IS NULL))
) STRICT;
`;
