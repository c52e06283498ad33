/**
 * The entries in an agent's settings that make it run dex's hooks: in lists by event, among entries of others. dex
 * recognises its own by the command, wherever the entry is and whatever else was added to it.
 */
import { basename } from "node:path";
import { asArray, asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";

import type { JsonFormat } from "./editing/jsonc.ts";

/** A list in the settings, and dex's entry in it. */
export interface HookList {
  /** The keys that lead to the list. */
  path: readonly string[];
  entry: JsonObject;
}

/** A setting with which a user turns hooks off in the agent. */
export interface OffSwitch {
  /** JSON or TOML files. The first one with a value decides. */
  files: readonly string[];
  /** The keys that lead to it. */
  path: readonly string[];
  isOff(value: Json): boolean;
}

export interface HookSettings {
  file: string;
  lists(command: string): HookList[];
  /** `jsonc` where it is missing. */
  format?: JsonFormat;
  /** The agent's own settings that keep it from running these hooks. */
  offBy?: readonly OffSwitch[];
  /** Further content of a file that dex creates. */
  base?: JsonObject;
  /** Next steps for the user. */
  note?: string;
}

/** A file that belongs to dex alone. */
export interface HookFile {
  file: string;
  text(launch: readonly string[]): string;
  /** Whether a text is one that dex wrote. */
  isOurs(text: string): boolean;
  note?: string;
}

/** Claude Code's shape, which others adopted: an event's list of groups, each with a matcher and its commands. */
export function groupedList(
  event: string,
  command: string,
  options: { matcher?: string; more?: JsonObject },
): HookList {
  const { matcher, more } = options;
  return {
    path: ["hooks", event],
    entry: { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] },
  };
}

/** The words quoted for a shell: hosts store a hook as one line. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(" ");
}

function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `"${word.replaceAll('"', "")}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** `dex hook <host>`, by any path. */
export function isOurHook(value: Json | undefined): boolean {
  return commandsOf(value).some((command) => {
    const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
    const at = words.indexOf("hook");
    const program = basename((words[at - 1] ?? "").replaceAll("\\", "/"));
    return at >= 1 && /^(dex(\.js|\.cmd|\.exe)?|dex-context(@.*)?)$/.test(program);
  });
}

/**
 * All commands that an entry starts; an entry that also starts other commands belongs to others, too, and dex does not
 * change it.
 */
export function isOnlyOurs(value: Json | undefined): boolean {
  return commandsOf(value).length === 1 && isOurHook(value);
}

export function commandsOf(value: Json | undefined): string[] {
  const entry = asObject(value);
  const own = asString(entry.command);
  return [
    ...(own === undefined ? [] : [own]),
    ...asArray(entry.hooks).flatMap((each) => asString(asObject(each).command) ?? []),
  ];
}
