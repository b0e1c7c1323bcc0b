// Version 2: how a process is reached when Holdfast comes back to it, and what its launch owes.

export const processColumns = /* sql */ `
ALTER TABLE handles ADD COLUMN channel TEXT CHECK (channel IS NULL OR json_valid(channel));
ALTER TABLE handles ADD COLUMN teardown TEXT CHECK (teardown IS NULL OR json_valid(teardown));
`;
