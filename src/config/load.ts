/**
 * Loads the settings without their schema where that is possible, because loading the schema takes longer than a hook may
 * take to answer. Without settings, the build has generated the defaults. With a settings file, dex keeps what the
 * schema made of it next to its compiled code, together with the text of the file: as long as the file has that text,
 * the schema is not asked again. Run from source, dex always asks it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, parseJson } from "../kernel/json.ts";
import { compileCacheFolder } from "./compile_cache.ts";
import type { Settings } from "./schema.ts";

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_DEFAULT_SETTINGS: string | undefined;
/** A hash of the schema; the build defines it. */
declare const DEX_SETTINGS_SCHEMA: string | undefined;

/** dex's variables that are not settings, and those that hooks read before any settings. */
const NOT_SETTINGS = new Set(["DEX_HOME", "DEX_DEBUG", "DEX_HOOKS", "DEX_HOOKS_OFF", "DEX_HOOK_BUDGET_MS"]);
const PRIVATE = 0o600;
const KEY = /apikey/i;

export async function loadSettings(path: string, vars: NodeJS.ProcessEnv): Promise<Settings> {
  const isOverridden = Object.keys(vars).some((name) => name.startsWith("DEX_") && !NOT_SETTINGS.has(name));
  const hasFile = existsSync(path);
  if (!hasFile && !isOverridden && typeof DEX_DEFAULT_SETTINGS === "string") {
    return JSON.parse(DEX_DEFAULT_SETTINGS) as Settings;
  }
  const schema = hasFile && !isOverridden && typeof DEX_SETTINGS_SCHEMA === "string" ? DEX_SETTINGS_SCHEMA : undefined;
  const text = schema === undefined ? undefined : readText(path);
  const file = schema === undefined ? undefined : keptFile(vars);
  const kept =
    file === undefined || schema === undefined || text === undefined ? undefined : readKept(file, schema, text);
  if (kept) return kept;
  const { loadSettings: load } = await import("./settings.ts");
  const settings = await load(path, vars);
  // Kept only if the file has not changed meanwhile. A key must not be copied into a second file.
  if (file !== undefined && text !== undefined && !KEY.test(text) && readText(path) === text) {
    keep(file, JSON.stringify({ schema, text, settings }));
  }
  return settings;
}

/** In the folder of compiled code; undefined if somebody else could have written there. */
function keptFile(vars: NodeJS.ProcessEnv): string | undefined {
  const folder = compileCacheFolder(vars);
  return folder === undefined ? undefined : join(folder, "settings.json");
}

function readKept(file: string, schema: string, text: string): Settings | undefined {
  const kept = asObject(parseJson(readText(file) ?? ""));
  return kept.schema === schema && kept.text === text ? (kept.settings as unknown as Settings) : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Never fails: the next start asks the schema again. */
function keep(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, text, { mode: PRIVATE, flag: "wx" });
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true });
  }
}
