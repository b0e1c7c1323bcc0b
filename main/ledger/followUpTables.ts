// Version 3: follow-ups. A submission with a place waits in the ledger's own queue, for a codex that has none; and why a
// thread's queue, codex's or this one, is held until the person says go.

export const followUpTables = /* sql */ `
ALTER TABLE submissions ADD COLUMN place INTEGER CHECK (place IS NULL OR state = 'recorded');

CREATE TABLE queue_holds (
  threadId TEXT PRIMARY KEY,
  why TEXT NOT NULL CHECK (why IN ('stopped', 'failed')),
  updatedAtMs INTEGER NOT NULL
) STRICT;
`;
