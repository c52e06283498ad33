/** Turns a schema violation in the arguments of a call into an error that an agent can act on. */
import type * as z from "zod";
import { sameMeaning, unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { asObject, asString, type JsonObject } from "../../kernel/json.ts";
import { issueText } from "../../kernel/schema/issue_text.ts";
import { nearest } from "../../kernel/text.ts";

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
    const list = names.length === 0 ? "It takes no parameters." : `It takes ${names.join(", ")}.`;
    const missing = missingNames(error);
    const meant =
      names.find((each) => dashed(each) === sameMeaning(dashed(typed), names.map(dashed))) ??
      // A call that names something else in place of the one parameter that it lacks.
      (missing.length === 1 && issue.keys.length === 1 && nearest(typed, names) === undefined ? missing[0] : undefined);
    if (meant !== undefined) return new DexError("unknown_parameter", sentence, { hint: `Did you mean ${meant}?` });
    return unknownName({ code: "unknown_parameter", sentence, typed, names, hint: list });
  }
  const description = asString(field.description);
  const hint = description === undefined ? {} : { hint: `${name}: ${description}.` };
  if (issue?.code === "invalid_value") return choiceError(tool, name, issue, hint);
  if (issue?.code === "invalid_type" && issue.input === undefined) {
    return new DexError("missing_parameter", `${tool} needs ${name}.`, hint);
  }
  return new DexError("bad_parameter", `${name || "The call"}: ${issueText(issue)}.`, hint);
}

/** For a parameter that takes one of a few values. */
function choiceError(
  tool: string,
  name: string,
  issue: z.core.$ZodIssueInvalidValue,
  about: { hint?: string },
): DexError {
  const names = issue.values.map(String);
  const list = `It takes ${names.join(", ")}.`;
  if (issue.input === undefined) {
    const hint = [about.hint, list].filter((part) => part !== undefined).join(" ");
    return new DexError("missing_parameter", `${tool} needs ${name}.`, { hint });
  }
  if (typeof issue.input !== "string") {
    return new DexError("bad_parameter", `${name}: ${issueText(issue)}.`, about);
  }
  const typed = issue.input.slice(0, MAX_QUOTED_CHARS);
  const sentence = `${name} cannot be "${typed}".`;
  return unknownName({
    code: "bad_parameter",
    sentence,
    typed: typed.toLowerCase(),
    names,
    hint: list,
    alwaysHint: true,
  });
}

function missingNames({ issues }: z.ZodError): string[] {
  const lacking = issues.filter(({ code, input }) => code === "invalid_type" && input === undefined);
  return lacking.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []));
}

function dashed(name: string): string {
  return name.replaceAll("_", "-").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function fieldAt(schema: JsonObject, path: readonly string[]): JsonObject {
  let field = schema;
  for (const name of path) {
    const next = asObject(field.properties)[name];
    if (next !== undefined) field = asObject(next);
  }
  return field;
}
