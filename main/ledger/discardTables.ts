// Version 6: what a person has discarded of their changes, and where it is kept.

export const discardTables = /* sql */ `
-- Written down before the first file is moved; gone when it was brought back, or was kept for long enough.
CREATE TABLE discards (
  discardId TEXT PRIMARY KEY,
  workspaceId TEXT NOT NULL,
  -- The top folder of the working tree, and the folder in which the files are kept.
  root TEXT NOT NULL,
  store TEXT NOT NULL,
  isPart INTEGER NOT NULL CHECK (isPart IN (0, 1)),
  -- For each file: its path, the name under which it is kept, and what was there afterwards.
  entries TEXT NOT NULL CHECK (json_valid(entries)),
  atMs INTEGER NOT NULL
) STRICT;
CREATE INDEX discardsByRoot ON discards (root, atMs);
`;
