/** Makes the table of flags and plain inputs from the schemas of some verbs. */
import * as z from "zod";
import { asArray, asNumber, asObject, asString, type JsonObject } from "../../kernel/json.ts";
import { OPERATIONS } from "../../operations/registry.ts";
import type { Command } from "../command.ts";
import { flagsOf } from "../flags.ts";
import type { InputTable, PlainField, TableRow } from "./input_table.ts";

/** Checks that JSON Schema describes completely. */
const KNOWN_CHECKS: ReadonlySet<string> = new Set([
  ...["min_length", "max_length", "greater_than", "less_than", "number_format"],
]);

const TYPES: Readonly<Record<string, PlainField["type"]>> = {
  string: "text",
  integer: "whole",
  boolean: "boolean",
  array: "list",
};

export async function makeInputTable(verbs: readonly string[]): Promise<InputTable> {
  const rows = verbs.map(async (verb): Promise<[string, TableRow][]> => {
    const operation = await OPERATIONS[verb]?.();
    const row = operation && rowOf(operation);
    return row ? [[verb, row]] : [];
  });
  return Object.fromEntries((await Promise.all(rows)).flat());
}

/** Undefined if an input without any flag may already need the schema. */
function rowOf(command: Command): TableRow | undefined {
  const { def } = command.input._zod;
  // A rule about several fields is not in the table.
  if ((def.checks ?? []).length > 0) return undefined;
  const { properties, required } = z.toJSONSchema(command.input, { io: "input" }) as JsonObject;
  const fields: TableRow["fields"] = {};
  for (const [name, schema] of Object.entries(command.input.shape)) {
    const described = asObject(asObject(properties)[name]);
    fields[name] = plainField(schema, described, asArray(required).includes(name));
    if (fields[name] === null && schema._zod.def.type !== "optional") return undefined;
  }
  return { flags: flagsOf(command), fields };
}

/** Null for a value that a table cannot describe. */
function plainField(schema: z.core.$ZodType, described: JsonObject, required: boolean): PlainField | null {
  if (!isPlain(schema)) return null;
  const choices = described.enum === undefined ? undefined : asArray(described.enum).map(String);
  const type = choices ? "choice" : TYPES[asString(described.type) ?? ""];
  if (type === undefined) return null;
  const min = asNumber(described.minimum ?? described.minLength ?? described.minItems);
  const max = asNumber(described.maximum ?? described.maxLength ?? described.maxItems);
  return {
    type,
    ...(choices && { choices }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(described.default !== undefined && { fallback: described.default }),
    ...(required && { required }),
  };
}

/** A single value, or a list of texts, that is only limited in size. */
function isPlain(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "default") return isPlain(def.innerType);
  const own = def as { checks?: readonly z.core.$ZodCheck[]; check?: string };
  const checks = [...(own.checks ?? []).map((each) => each._zod.def.check), ...(own.check ? [own.check] : [])];
  if (!checks.every((check) => KNOWN_CHECKS.has(check))) return false;
  if (def.type !== "array") return ["string", "number", "boolean", "enum"].includes(def.type);
  const { def: element } = (def.element as z.core.$ZodTypes)._zod;
  return element.type === "string" && (element.checks ?? []).length === 0;
}
