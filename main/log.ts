// What Holdfast writes down about itself. Callers pass facts, never secrets and never a person's text.

export interface Log {
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
