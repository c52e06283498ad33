/**
 * Models now and then send a value in a near type: "5" for 5, "true" for true, one id for a list of ids, a list of
 * numbers for "1,5". Refusing it
 * costs a turn and says nothing that the value does not say itself, so dex reads it where only one reading is possible.
 */
import type * as z from "zod";
import { isObject } from "../../kernel/json.ts";

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * The input without the optional parameters that were filled in with null or an empty text, as some models do with all
 * that a tool has: they mean that nothing is given.
 */
export function withoutBlanks(input: unknown, { shape }: z.ZodObject): unknown {
  if (!isObject(input)) return input;
  const isBlank = ([name, value]: [string, unknown]): boolean =>
    (value === null || value === "") &&
    Object.hasOwn(shape, name) &&
    shape[name]?.safeParse(undefined).success === true;
  const given = Object.entries(input);
  return given.some(isBlank) ? Object.fromEntries(given.filter((each) => !isBlank(each))) : input;
}

/** The input with the values that have a near type read as the type they should have; undefined if there are none. */
export function withNearTypes(input: unknown, { issues }: z.ZodError): Record<string, unknown> | undefined {
  if (!isObject(input)) return undefined;
  const read: Record<string, unknown> = {};
  for (const issue of issues) {
    const [name, ...inner] = issue.path;
    if (issue.code !== "invalid_type" || typeof name !== "string" || inner.length > 0) continue;
    const value = readAs(issue.expected, input[name]);
    if (value !== undefined) read[name] = value;
  }
  return Object.keys(read).length === 0 ? undefined : { ...input, ...read };
}

function readAs(expected: string, value: unknown): unknown {
  switch (expected) {
    case "number":
    case "int":
      return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : undefined;
    case "boolean":
      return value === "true" || value === "false" ? value === "true" : undefined;
    case "string":
      if (Array.isArray(value) && value.length > 0 && value.every(Number.isSafeInteger)) return value.join(",");
      return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
    case "array":
      return typeof value === "string" ? listIn(value) : undefined;
    default:
      return undefined;
  }
}

/** A list that was sent as its JSON text, or a single entry. */
function listIn(text: string): unknown[] | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!trimmed.startsWith("[")) return [text];
  try {
    const list: unknown = JSON.parse(trimmed);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return [text];
  }
}
