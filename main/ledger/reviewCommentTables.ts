// Version 9: comments on changed lines that have not been sent yet.

export const reviewCommentTables = /* sql */ `
CREATE TABLE review_comments (
  commentId TEXT PRIMARY KEY,
  -- Where the thread's draft is kept, too: its id, or the key of one that codex does not know yet.
  draftKey TEXT NOT NULL,
  path TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('new', 'old')),
  firstLine INTEGER NOT NULL CHECK (firstLine > 0),
  lastLine INTEGER NOT NULL CHECK (lastLine >= firstLine),
  quote ANY NOT NULL,
  text ANY NOT NULL,
  revision INTEGER NOT NULL CHECK (revision > 0),
  createdAtMs INTEGER NOT NULL,
  updatedAtMs INTEGER NOT NULL
) STRICT;

CREATE INDEX review_comments_of ON review_comments (draftKey);
`;
