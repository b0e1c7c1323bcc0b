// A schema of a tool as TypeScript writes it.

/** As zod writes it, as far as tools use it. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** `indent`: of the line that it begins in; null: all in one line, without descriptions. */
export function shape(schema: JsonSchema, indent: string | null): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => shape(one, indent)).join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => shape({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array": {
      const each = schema.items ? shape(schema.items, indent) : "unknown";
      return `Array<${each}>`;
    }
    case "object":
      return indent === null ? objectInALine(schema) : object(schema, indent);
    case undefined:
      return "unknown";
    default:
      throw new Error(`a schema has the type ${schema.type}, which is not known here`);
  }
}

export function comment(text: string | undefined, indent: string): string {
  return text === undefined ? "" : `${indent}/** ${text} */\n`;
}

export function isOptional(schema: JsonSchema, name: string): boolean {
  return !schema.required?.includes(name);
}

function object(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = isOptional(schema, name) ? "?" : "";
    return `${comment(field.description, inner)}${inner}${name}${optional}: ${shape(field, inner)};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function objectInALine(schema: JsonSchema): string {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${name}${isOptional(schema, name) ? "?" : ""}: ${shape(field, null)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}
