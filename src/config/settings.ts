/** Reads the settings: config.yaml, overridden by the environment. No file means all defaults. */
import { readFileSync } from "node:fs";
import type * as z from "zod";
import { endedWithQuestion } from "../kernel/did_you_mean.ts";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { isObject, type JsonObject } from "../kernel/json.ts";
import { issueText } from "../kernel/schema/issue_text.ts";
import { overridesIn } from "./environment.ts";
import { type Settings, settingNames, settingsSchema } from "./schema.ts";

export async function loadSettings(path: string, vars: NodeJS.ProcessEnv): Promise<Settings> {
  const raw = await readConfig(path);
  for (const apply of overridesIn(vars).values()) apply(raw);
  const parsed = settingsSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DexError("bad_config", `${path}: ${describeIssue(issue)}`, {
    hint: "Correct that line, or remove it to use the default.",
  });
}

/** Undefined when the file does not exist. */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw new DexError("bad_config", `${path} cannot be read: ${errorMessage(error)}`, {
      hint: "Check its permissions.",
      cause: error,
    });
  }
}

export async function readConfig(path: string): Promise<JsonObject> {
  const text = readConfigText(path);
  if (text === undefined) return {};
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new DexError("bad_config", `${path} is not valid YAML: ${errorMessage(error)}`, {
      hint: "Correct it with `dex config edit`.",
      cause: error,
    });
  }
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw notSettings(path);
}

export function notSettings(path: string): DexError {
  return new DexError("bad_config", `${path} must consist of settings, each as \`name: value\`.`, {
    hint: "Correct it with `dex config edit`; `dex config list` shows the names.",
  });
}

export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "is not valid.";
  const where = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const sentence = `unknown setting "${where === "" ? key : `${where}.${key}`}"`;
    return endedWithQuestion(sentence, key, settingNames(issue.path.map(String)), JSON.stringify);
  }
  return `${where} ${issueText(issue)}.`;
}
