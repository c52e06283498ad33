/**
 * What an agent's settings hold so that it runs dex's hooks: entries in lists by event, among those of others. Ours is
 * recognised by what it starts, wherever it stands and whatever else was added to it.
 */
import { basename } from "node:path";
import { asArray, asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";

/** A list of settings, and the entry that dex has in it. */
export interface HookList {
  /** The keys that lead to the list. */
  path: readonly string[];
  entry: JsonObject;
}

export interface HookSettings {
  file: string;
  lists(command: string): HookList[];
  /** The keys that lead to a setting which, where it is true, keeps the agent from running any hook. */
  offBy?: readonly string[];
  /** What a file that dex makes has besides. */
  base?: JsonObject;
  /** What the user still has to do. */
  note?: string;
}

/** A file that is dex's alone. */
export interface HookFile {
  file: string;
  text(launch: readonly string[]): string;
  /** Whether a text is one that dex wrote. */
  isOurs(text: string): boolean;
  note?: string;
}

/** Claude Code's shape, which others took over: an event's list of groups, each with a matcher and its commands. */
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

/** The words as a shell reads them again: hosts take hooks as one line. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word, platform))).join(" ");
}

function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `"${word.replaceAll('"', "")}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** `dex hook <host>`, by whatever path. */
export function isOurHook(value: Json | undefined): boolean {
  return commandsOf(value).some((command) => {
    const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
    const at = words.indexOf("hook");
    const program = basename((words[at - 1] ?? "").replaceAll("\\", "/"));
    return at >= 1 && /^(dex(\.js|\.cmd|\.exe)?|dex-context(@.*)?)$/.test(program);
  });
}

/** All commands that an entry starts; one that starts others besides is theirs, too, and not ours to change. */
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
