// The flat forms of MCP: a JSON schema of simple fields as questions, and what was filled in as the content that the
// schema asks for.

import type { Question } from "../../../preload/contract/requests";
import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import { Fault } from "../../fault";
import {
  isRecord,
  type LooseRecord,
  numberOrNull,
  recordOf,
  recordsOf,
  stringsOf,
  wordsOrNull,
} from "../loose";
import type { Answers } from "./decision";
import { answersTo, missingAnswer, notAnOption, questionName } from "./questions";

export interface FormField {
  question: Question;
  schema: LooseRecord;
}

/** Null when the form cannot be filled in here: no flat object, or a required field of a kind that is not simple. */
export function formQuestions(schema: unknown): FormField[] | null {
  if (!isRecord(schema) || schema.type !== "object") return null;
  if (schema.properties !== undefined && !isRecord(schema.properties)) return null;
  const properties = recordOf(schema.properties);
  const required = new Set(stringsOf(schema.required));
  const fields: FormField[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const field = isRecord(value) ? fieldOf(name, value, required.has(name)) : null;
    if (field !== null) fields.push(field);
    else if (required.has(name)) return null;
  }
  if ([...required].some((name) => !Object.hasOwn(properties, name))) return null;
  return fields;
}

type Shape = Pick<Question, "kind" | "options">;

function fieldOf(name: string, schema: LooseRecord, required: boolean): FormField | null {
  const shape = shapeOf(schema);
  if (shape === null) return null;
  const title = wordsOrNull(schema.title) ?? name;
  return {
    schema,
    question: {
      id: name,
      header: title,
      question: [wordsOrNull(schema.description), hintOf(schema)].filter((part) => part !== null).join(" "),
      secret: schema.format === "password",
      allowsText: shape.kind === "text",
      required,
      ...shape,
    },
  };
}

function shapeOf(schema: LooseRecord): Shape | null {
  switch (schema.type) {
    case "string": {
      if (Array.isArray(schema.oneOf)) return choices("choice", constOptions(schema.oneOf));
      if (Array.isArray(schema.enum)) return choices("choice", enumOptions(schema.enum, schema.enumNames));
      return { kind: "text", options: [] };
    }
    case "number":
    case "integer":
      return { kind: "number", options: [] };
    case "boolean":
      return {
        kind: "boolean",
        options: [
          { value: "true", label: "Yes", description: null },
          { value: "false", label: "No", description: null },
        ],
      };
    case "array": {
      const items = recordOf(schema.items);
      if (Array.isArray(items.anyOf)) return choices("choices", constOptions(items.anyOf));
      if (Array.isArray(items.oneOf)) return choices("choices", constOptions(items.oneOf));
      if (Array.isArray(items.enum)) return choices("choices", enumOptions(items.enum, items.enumNames));
      return null;
    }
    default:
      return null;
  }
}

type Options = Question["options"];

function choices(kind: "choice" | "choices", options: Options | null): Shape | null {
  return options === null || options.length === 0 ? null : { kind, options };
}

function constOptions(values: readonly unknown[]): Options | null {
  const options = recordsOf(values).flatMap((value) =>
    typeof value.const === "string"
      ? [
          {
            value: value.const,
            label: wordsOrNull(value.title) ?? value.const,
            description: wordsOrNull(value.description),
          },
        ]
      : [],
  );
  return options.length === values.length ? options : null;
}

function enumOptions(values: readonly unknown[], names: unknown): Options | null {
  const labels = Array.isArray(names) ? names : [];
  const options = stringsOf(values).map((value, index) => ({
    value,
    label: wordsOrNull(labels[index]) ?? value,
    description: null,
  }));
  return options.length === values.length ? options : null;
}

function hintOf(schema: LooseRecord): string | null {
  const value = schema.default;
  const shown =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : stringsOf(value).join(", ");
  return shown === "" ? null : `(default: ${shown})`;
}

/** The answer for codex; fields that were left empty are left out, so that the server's defaults apply. */
export function formContent(fields: readonly FormField[], answers: Answers): JsonValue | Fault {
  const content: [string, JsonValue][] = [];
  for (const { question, schema } of fields) {
    const values = answersTo(question, answers);
    if (values.length === 0) {
      if (question.required) return missingAnswer(question);
      continue;
    }
    const value = typedValue(question, schema, values);
    if (value instanceof Fault) return value;
    content.push([question.id, value]);
  }
  return { action: "accept", content: Object.fromEntries(content), _meta: null };
}

function typedValue(question: Question, schema: LooseRecord, values: string[]): JsonValue | Fault {
  const first = values[0] ?? "";
  const known = (value: string) => question.options.some((option) => option.value === value);
  switch (question.kind) {
    case "text":
      return textValue(question, schema, first);
    case "number":
      return numberValue(question, schema, first);
    case "boolean":
      return known(first) ? first === "true" : notAnOption(question);
    case "choice":
      return known(first) ? first : notAnOption(question);
    case "choices":
      return choicesValue(question, schema, values.every(known) ? values : null);
    default:
      return question.kind satisfies never;
  }
}

function textValue(question: Question, schema: LooseRecord, text: string): string | Fault {
  const length = [...text].length;
  const least = numberOrNull(schema.minLength);
  const most = numberOrNull(schema.maxLength);
  if (least !== null && length < least) return invalid(question, `must have at least ${least} characters`);
  if (most !== null && length > most) return invalid(question, `must have at most ${most} characters`);
  return text;
}

function numberValue(question: Question, schema: LooseRecord, text: string): number | Fault {
  const value = Number(text.trim());
  if (!Number.isFinite(value)) return invalid(question, "must be a number");
  if (schema.type === "integer" && !Number.isSafeInteger(value))
    return invalid(question, "must be a whole number");
  const least = numberOrNull(schema.minimum);
  const most = numberOrNull(schema.maximum);
  if (least !== null && value < least) return invalid(question, `must be at least ${least}`);
  if (most !== null && value > most) return invalid(question, `must be at most ${most}`);
  return value;
}

function choicesValue(question: Question, schema: LooseRecord, values: string[] | null): JsonValue | Fault {
  if (values === null) return notAnOption(question);
  const least = numberOrNull(schema.minItems);
  const most = numberOrNull(schema.maxItems);
  if (least !== null && values.length < least) return invalid(question, `needs at least ${least} choices`);
  if (most !== null && values.length > most) return invalid(question, `takes at most ${most} choices`);
  return values;
}

function invalid(question: Question, why: string): Fault {
  return new Fault("answer_invalid", `“${questionName(question)}” ${why}.`);
}
