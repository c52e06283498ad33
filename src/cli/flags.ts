/** The flags of a command, derived from its input schema, so that they are declared only once. */
import * as z from "zod";
import { asArray, asObject, asString, type JsonObject } from "../kernel/json.ts";
import { aliasesOf } from "../operations/aliases.ts";
import type { Command } from "./command.ts";

export type FlagType = "string" | "number" | "boolean" | "list";

export interface Flag {
  /** Without the dashes: `tokens-per-msg`. */
  name: string;
  /** The path of its value in the input: one key, or two for a field of a nested object. */
  path: [string] | [string, string];
  type: FlagType;
  choices: string[];
  fallback: unknown;
  description: string;
  /** Turns off a field that is true by default: `--no-subagents` sets `subagents` to false. */
  negated?: true;
  /** Other names that work, too. */
  aliases?: readonly string[];
}

export const SHORT_FLAGS: Readonly<Record<string, string>> = {
  l: "limit",
  s: "source",
  p: "project",
  f: "file",
  c: "collections",
  u: "use-case",
  j: "json",
  o: "output",
  h: "help",
  i: "interactive",
  m: "model",
  v: "verbose",
};

/** Flags every verb takes. */
export const COMMON_FLAGS: readonly Flag[] = [
  common("json", "Print JSON"),
  common("no-sync", "Do not sync first"),
  common("no-pager", "Print long answers without a pager"),
  common("help", "Show this help"),
];

/** Programs declare the others among their own. */
export const PROGRAM_FLAGS: readonly Flag[] = COMMON_FLAGS.filter(({ name }) => name === "help");

function common(name: string, description: string): Flag {
  return { name, path: [name], type: "boolean", choices: [], fallback: false, description };
}

/** The default as a person would type it; undefined when it is not worth showing. */
export function shownDefault({ fallback, type }: Flag): string | undefined {
  if (fallback === undefined || fallback === null || fallback === "" || fallback === false) return undefined;
  if (Array.isArray(fallback)) return fallback.length === 0 ? undefined : fallback.join(" ");
  if (type === "boolean" || typeof fallback === "object") return undefined;
  return String(fallback);
}

export function flagsOf(command: Command): Flag[] {
  const properties = asObject(jsonSchema(command).properties);
  const flags: Flag[] = [];
  const others = aliasFlags(command);
  const called = (name: string, ...path: Flag["path"]): string => command.flags?.[path.join(".")] ?? kebab(name);
  for (const [key, value] of Object.entries(properties)) {
    const schema = asObject(value);
    if (schema.type !== "object") {
      flags.push({ ...flagOf(called(key, key), [key], schema), ...others(key) });
      continue;
    }
    // The flag of a nested object's first field has the name of the object; the other fields have their own names.
    for (const [i, [inner, field]] of Object.entries(asObject(schema.properties)).entries()) {
      flags.push(flagOf(called(i === 0 ? key : inner, key, inner), [key, inner], asObject(field)));
    }
  }
  return flags;
}

/** The other flags of a field. */
function aliasFlags(command: Command): (field: string) => Pick<Flag, "aliases"> {
  const aliases = [...aliasesOf(command)];
  return (field) => {
    const names = aliases.flatMap(([alias, of]) => (of === field ? [kebab(alias)] : []));
    return names.length === 0 ? {} : { aliases: names };
  };
}

export function requiredOf(command: Command): string[] {
  return asArray(jsonSchema(command).required).flatMap((name) => asString(name) ?? []);
}

function jsonSchema(command: Command): JsonObject {
  return z.toJSONSchema(command.input, { io: "input" }) as JsonObject;
}

function flagOf(name: string, path: Flag["path"], schema: JsonObject): Flag {
  const description = asString(schema.description) ?? "";
  if (schema.default === true && description.startsWith("With ")) return negatedFlag(name, path, description);
  return {
    name,
    path,
    type: typeOf(schema),
    choices: asArray(schema.enum).map(String),
    fallback: schema.default,
    description,
  };
}

/** A field described as "With X" becomes the flag `--no-x`, described as "Without X". */
function negatedFlag(name: string, path: Flag["path"], description: string): Flag {
  const without = description.replace("With ", "Without ");
  return {
    name: `no-${name}`,
    path,
    type: "boolean",
    choices: [],
    fallback: false,
    description: without,
    negated: true,
  };
}

function typeOf(schema: JsonObject): FlagType {
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "boolean") return "boolean";
  return schema.type === "array" ? "list" : "string";
}

function kebab(name: string): string {
  return name.replaceAll("_", "-");
}
