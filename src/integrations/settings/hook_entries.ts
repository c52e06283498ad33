/**
 * The entries in an agent's settings that make it run dex's hooks: in lists by event, among entries of others. dex
 * recognises its own by the command, wherever the entry is and whatever else was added to it.
 */
import { isDex } from "../../config/own_program.ts";
import { asArray, asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";
import { isPlainWord, shellWord } from "../../kernel/text.ts";

import type { JsonFormat } from "./editing/jsonc.ts";

/** A list in the settings, and dex's entry in it. */
export interface HookList {
  /** The keys that lead to the list. */
  path: readonly string[];
  entry: JsonObject;
  /** The event, and the entry's field that names it, if one list has the entries of all events. */
  event?: { field: string; name: string };
  /** Matchers that earlier versions of dex wrote here, "" for none; dex replaces an entry that has one of them. */
  formerMatchers?: readonly string[];
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
  format?: JsonFormat | "toml";
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
  /** The event that the file is for, if the agent wants a file for each. */
  event?: string;
  /** The agent starts the file itself. */
  isProgram?: true;
  text(launch: readonly string[]): string;
  /** Whether a text is one that dex wrote. */
  isOurs(text: string): boolean;
  /** Whether it is the text of this version of dex, whatever command it starts. */
  isCurrent(text: string): boolean;
  note?: string;
}

/** Claude Code's shape, which others adopted: an event's list of groups, each with a matcher and its commands. */
export function groupedList(
  event: string,
  command: string,
  options: { matcher?: string; formerMatchers?: readonly string[]; more?: JsonObject },
): HookList {
  const { matcher, formerMatchers, more } = options;
  return {
    ...(formerMatchers === undefined ? {} : { formerMatchers }),
    path: ["hooks", event],
    entry: { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] },
  };
}

/** The words quoted for a shell: hosts store a hook as one line. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === "win32" ? windowsWord : shellWord).join(" ");
}

function windowsWord(word: string): string {
  return isPlainWord(word) ? word : `"${word.replaceAll('"', "")}"`;
}

/** `dex hook <host>`, by any path. */
export function isOurHook(value: Json | undefined): boolean {
  return commandsOf(value).some((command) => {
    const words = commandWords(command);
    const at = words.indexOf("hook");
    return at >= 1 && isDex(words[at - 1] ?? "");
  });
}

/** The words of a command line, without their quotes. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}

/** dex's entry of this list. */
export function isOurEntry({ event }: HookList, value: Json | undefined): boolean {
  return isOurHook(value) && (event === undefined || asObject(value)[event.field] === event.name);
}

/** An earlier version of dex wrote this entry. */
export function isFormer({ formerMatchers = [] }: HookList, value: Json | undefined): boolean {
  const matcher = asString(asObject(value).matcher) ?? "";
  return formerMatchers.includes(matcher) && isOnlyOurs(value);
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
  const action = asString(asObject(entry.action).command);
  return [
    ...(own === undefined ? [] : [own]),
    ...(action === undefined ? [] : [action]),
    ...asArray(entry.hooks).flatMap((each) => asString(asObject(each).command) ?? []),
  ];
}
