/** Turns a schema violation in the arguments of a call into an error that an agent can act on. */

import type * as z from "zod";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { asObject, asString, type JsonObject } from "../../kernel/json.ts";
import { issueText } from "../../kernel/schema/issue_text.ts";

/** An unknown name is quoted up to this length. */
const MAX_QUOTED_CHARS = 60;

/** The first problem to fix. `schema` is the tool's input schema. */
export function argumentError(tool: string, schema: JsonObject, error: z.ZodError): DexError {
  // A misspelt name comes first: the missing parameter is often the same one.
  // When a value exceeds two caps, report the smaller one, which is the last issue.
  const capped = error.issues.findLast(({ code }) => code === "too_big");
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? capped ?? error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const name = path.join(".");
  const field = fieldAt(schema, path);
  if (issue?.code === "unrecognized_keys") {
    const unknown = issue.keys[0] ?? "";
    const names = Object.keys(asObject(field.properties));
    const typed = unknown.slice(0, MAX_QUOTED_CHARS);
    const sentence = `${tool} has no parameter "${[...path, typed].join(".")}".`;
    const list = `It takes ${names.join(", ") || "none"}.`;
    return unknownName({ code: "unknown_parameter", sentence, typed, names, hint: list });
  }
  const description = asString(field.description);
  const hint = description === undefined ? {} : { hint: `${name}: ${description}.` };
  if (issue?.code === "invalid_type" && issue.input === undefined) {
    return new DexError("missing_parameter", `${tool} needs ${name}.`, hint);
  }
  return new DexError("bad_parameter", `${name || "The call"}: ${issueText(issue)}.`, hint);
}

function fieldAt(schema: JsonObject, path: readonly string[]): JsonObject {
  let field = schema;
  for (const name of path) {
    const next = asObject(field.properties)[name];
    if (next !== undefined) field = asObject(next);
  }
  return field;
}
