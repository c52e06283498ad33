/**
 * The settings by name, for `dex config`: their types, current values, and where each value comes from. The value of a
 * secret is never returned.
 */
import * as z from "zod";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from "../kernel/json.ts";
import { overridesIn } from "./environment.ts";
import { settingsSchema } from "./schema.ts";
import { describeIssue } from "./settings.ts";

export type SettingType = "text" | "number" | "boolean" | "list" | "any";

export interface SettingKey {
  /** With dots: `llm.model`. */
  key: string;
  type: SettingType;
  choices: string[];
  description: string;
  fallback: Json | undefined;
  secret: boolean;
}

export interface SettingValue extends SettingKey {
  value: Json | undefined;
  origin: "default" | "file" | "environment";
  /** The environment variable that sets it, if any. */
  variable?: string;
}

const MASK = "********";

let known: SettingKey[] | undefined;

export function settingKeys(): readonly SettingKey[] {
  known ??= leaves(z.toJSONSchema(settingsSchema, { io: "input" }) as JsonObject, []);
  return known;
}

function leaves(schema: JsonObject, path: readonly string[]): SettingKey[] {
  return Object.entries(asObject(schema.properties)).flatMap(([name, value]) => {
    const field = asObject(value);
    if (field.type === "object" && field.properties !== undefined) return leaves(field, [...path, name]);
    return {
      key: [...path, name].join("."),
      type: typeOf(field),
      choices: asArray(field.enum).map(String),
      description: asString(field.description) ?? "",
      fallback: field.default,
      secret: field.secret === true,
    };
  });
}

function typeOf(field: JsonObject): SettingType {
  if (field.type === "integer" || field.type === "number") return "number";
  if (field.type === "boolean") return "boolean";
  if (field.type === "array") return "list";
  return field.type === "string" ? "text" : "any";
}

/** Finds a setting by its name, in any case of letters, because the environment and the file use different ones. */
export function settingKey(name: string): SettingKey {
  const found = settingKeys().find(({ key }) => key.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const keys = settingKeys().map(({ key }) => key);
  const below = keys.filter((key) => key.startsWith(`${name}.`));
  if (below.length > 0) {
    throw new DexError("unknown_setting", `"${name}" is a group of settings.`, {
      hint: `Its settings are ${below.join(", ")}.`,
    });
  }
  const last = keys.find((key) => key.endsWith(`.${name}`));
  throw unknownName({
    code: "unknown_setting",
    sentence: `There is no setting "${name.slice(0, 80)}".`,
    typed: name,
    names: keys,
    hint: last === undefined ? "`dex config list` shows all of them." : `Did you mean ${last}?`,
  });
}

/** The settings of a group, or the one of that name. */
export function settingsNamed(name: string): readonly SettingKey[] {
  const group = settingKeys().filter(({ key }) => key.startsWith(`${name}.`));
  return group.length > 0 ? group : [settingKey(name)];
}

/** Parses typed text as a value of the setting's type; the schema checks it later. */
export function readValue(setting: SettingKey, text: string): Json {
  const { key, type } = setting;
  if (type === "number") {
    const value = Number(text.replaceAll("_", ""));
    if (text.trim() !== "" && Number.isFinite(value)) return value;
    throw new DexError("bad_value", `${key} takes a number, not "${text.slice(0, 80)}".`, {
      hint: "Nothing was changed.",
    });
  }
  if (type === "boolean") {
    if (/^(true|yes|on|1)$/i.test(text)) return true;
    if (/^(false|no|off|0)$/i.test(text)) return false;
    throw new DexError("bad_value", `${key} takes true or false, not "${text.slice(0, 80)}".`, {
      hint: "Nothing was changed.",
    });
  }
  const list = text.split(",").flatMap((part) => part.trim() || []);
  if (type === "list") return list;
  // A setting with several types takes JSON, or names.
  return type === "any" ? (parseJson(text) ?? list) : text;
}

/** The current values with their origin. `file` is the content of config.yaml. */
export function settingValues(keys: readonly SettingKey[], file: JsonObject, vars: NodeJS.ProcessEnv): SettingValue[] {
  const variables = overriddenBy(vars);
  return keys.map((setting) => {
    const override = variables.get(setting.key);
    if (override) return { ...setting, ...override, value: shown(setting, override.value), origin: "environment" };
    const value = valueAt(file, setting.key);
    if (value === undefined) return { ...setting, value: setting.fallback, origin: "default" };
    return { ...setting, value: shown(setting, value), origin: "file" };
  });
}

function overriddenBy(vars: NodeJS.ProcessEnv): Map<string, { variable: string; value: Json }> {
  const found = new Map<string, { variable: string; value: Json }>();
  for (const [variable, apply] of overridesIn(vars)) {
    const settings: JsonObject = {};
    apply(settings);
    for (const { key } of settingKeys()) {
      const value = valueAt(settings, key);
      if (value !== undefined) found.set(key, { variable, value });
    }
  }
  return found;
}

export function valueAt(settings: JsonObject, key: string): Json | undefined {
  let value: Json | undefined = settings;
  for (const name of key.split(".")) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** Masks secrets, and passwords in addresses. */
function shown({ secret }: SettingKey, value: Json): Json {
  if (secret) return MASK;
  return typeof value === "string" ? value.replace(/^(\w+:\/\/)[^/@\s]+@/, `$1${MASK}@`) : value;
}

/** The problems of a file's content, a sentence for each setting; empty when it is valid. */
export function settingProblems(file: JsonObject): Map<string, string> {
  const parsed = settingsSchema.safeParse(file);
  if (parsed.success) return new Map();
  return new Map(parsed.error.issues.map((issue) => [placeOf(issue), describeIssue(issue)]));
}

function placeOf(issue: z.core.$ZodIssue): string {
  const keys = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return [...issue.path.map(String), ...keys].join(".");
}
