// JSON as it lies in a column. Written from typed values and checked by the table to be JSON, so it reads back as what it
// was; `Fault`s lose their cause and their stack on the way, and nothing else.

import { Fault } from "../fault";

export function storedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new Fault("ledger_constraint", "Holdfast's database keeps JSON values only.");
  return text;
}

export function readJson<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

interface FaultRecord {
  code: string;
  message: string;
  hint?: string;
  detail?: string;
  retryable: boolean;
}

export function storedFault(fault: Fault): string {
  const { code, message, hint, detail, retryable } = fault;
  return storedJson({ code, message, hint, detail, retryable } satisfies FaultRecord);
}

export function readFault(text: string): Fault {
  const { code, message, ...options } = readJson<FaultRecord>(text);
  return new Fault(code, message, options);
}
