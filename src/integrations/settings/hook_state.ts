/** Whether an agent's settings have dex's hooks, and whether the agent runs them. */
import { dirname } from "node:path";
import { missingProgram } from "../../config/own_program.ts";
import type { Json } from "../../kernel/json.ts";
import { type AgentEnv, type ConnectableAgent, hookPlaces, type Scope } from "./agent_settings.ts";
import { readConfig } from "./config_file.ts";
import type { Editor, ListEditor } from "./editing/editor.ts";
import { checkFormat, JSONC_EDITOR } from "./editing/jsonc.ts";
import { JSONC_LIST_EDITOR } from "./editing/jsonc_list.ts";
import { TOML_EDITOR } from "./editing/toml.ts";
import { TOML_LIST_EDITOR } from "./editing/toml_list.ts";
import {
  commandsOf,
  commandWords,
  type HookFile,
  type HookList,
  type HookSettings,
  isFormer,
  isOurEntry,
  isOurHook,
} from "./hook_entries.ts";

/**
 * `outdated`: an earlier version of dex set them up, without some events. `disabled`: installed, but the agent's own
 * settings turn all hooks off.
 */
export type HookState = "on" | "outdated" | "disabled" | "broken" | "none" | "not_ours" | "unreadable";

interface FoundHooks {
  file: string;
  state: HookState;
  /** The setting that turns them off, and its file. */
  off_by?: string;
  /** Events that this version of dex answers, but which the settings do not send to it. */
  missing?: string[];
}

/** State of dex's hooks in an agent's settings; undefined if it cannot have any. */
export function hookState(agent: ConnectableAgent, env: AgentEnv, scope: Scope): FoundHooks | undefined {
  const places = hookPlaces(agent, env, scope);
  const found = places.map((hooks) => placeState(agent, env, hooks));
  return found.length < 2 ? found[0] : stateOfFiles(places, found);
}

/** One state for the files of all events. A file of the same name that belongs to somebody else counts as set up. */
function stateOfFiles(places: readonly (HookSettings | HookFile)[], found: readonly FoundHooks[]): FoundHooks {
  const file = dirname(found[0]?.file ?? "");
  const unreadable = found.find(({ state }) => state === "unreadable");
  if (unreadable) return unreadable;
  const events = (...states: HookState[]): string[] =>
    places.flatMap((place, i) => {
      const event = "event" in place ? place.event : undefined;
      return event !== undefined && states.includes(found[i]?.state ?? "none") ? [event] : [];
    });
  if (events("on", "outdated").length === 0)
    return { file, state: events("not_ours").length > 0 ? "not_ours" : "none" };
  const missing = events("none", "outdated");
  return missing.length > 0 ? { file, state: "outdated", missing } : { file, state: "on" };
}

function placeState(agent: ConnectableAgent, env: AgentEnv, hooks: HookSettings | HookFile): FoundHooks {
  const { file } = hooks;
  try {
    const text = readConfig(file);
    const state = stateOf(hooks, text, env);
    if (!("lists" in hooks) || (state !== "on" && state !== "outdated")) return { file, state };
    checkText(hooks, text ?? "", agent);
    const by = offBy(hooks, text);
    if (by !== undefined) return { file, state: "disabled", off_by: by };
    return state === "outdated" ? { file, state, missing: missingEvents(hooks, text ?? "") } : { file, state };
  } catch {
    return { file, state: "unreadable" };
  }
}

function stateOf(hooks: HookSettings | HookFile, text: string | undefined, env: AgentEnv): HookState {
  if (text === undefined) return "none";
  if (!("lists" in hooks)) {
    if (!hooks.isOurs(text)) return "not_ours";
    return hooks.isCurrent(text) ? "on" : "outdated";
  }
  const ours = hooks.lists("").map((list) => oursIn(hooks, list, text));
  if (ours.every((items) => items.length === 0)) return "none";
  if (ours.flat().some((item) => isProgramMissing(item, env))) return "broken";
  return missingEvents(hooks, text).length > 0 ? "outdated" : "on";
}

/** Events that dex answers, but which the settings do not send to it, or not for every tool. */
function missingEvents(hooks: HookSettings, text: string): string[] {
  return hooks.lists("").flatMap((list) => {
    return oursIn(hooks, list, text).some((item) => !isFormer(list, item))
      ? []
      : [list.event?.name ?? list.path.at(-1) ?? ""];
  });
}

function oursIn(hooks: HookSettings, list: HookList, text: string): Json[] {
  return (editorsOf(hooks).list.read(text, list.path) ?? []).filter((item) => isOurEntry(list, item));
}

/** The setting that turns the hooks off, and its file. `text`: the content of the hooks' own file. */
export function offBy(hooks: HookSettings, text: string | undefined): string | undefined {
  for (const { files, path, isOff } of hooks.offBy ?? []) {
    for (const file of files) {
      const value = settingIn(file, file === hooks.file ? text : undefined, path);
      if (value === undefined) continue;
      if (isOff(value)) return `${path.join(".")} in ${file}`;
      break;
    }
  }
  return undefined;
}

/** Undefined if the file, or the setting in it, does not exist or cannot be read. */
function settingIn(file: string, text: string | undefined, path: readonly string[]): Json | undefined {
  try {
    const editor = file.endsWith(".toml") ? TOML_EDITOR : JSONC_EDITOR;
    return editor.read(text ?? readConfig(file) ?? "", path) as Json | undefined;
  } catch {
    return undefined;
  }
}

/** The entry starts a dex that does not exist any more. */
export function isProgramMissing(item: Parameters<typeof isOurHook>[0], env: AgentEnv): boolean {
  const words = commandsWords(item);
  return missingProgram(words, env.vars, env.platform) !== undefined;
}

/** The words of dex's own command up to its verb. */
function commandsWords(item: Parameters<typeof isOurHook>[0]): string[] {
  const [command = ""] = ourCommands(item);
  const words = commandWords(command);
  return words.slice(0, words.indexOf("hook"));
}

function ourCommands(item: Parameters<typeof isOurHook>[0]): string[] {
  return commandsOf(item).filter((command) => isOurHook({ command }));
}

/** The editors of the settings. */
export function editorsOf({ format }: HookSettings): { whole: Editor; list: ListEditor } {
  return format === "toml"
    ? { whole: TOML_EDITOR, list: TOML_LIST_EDITOR }
    : { whole: JSONC_EDITOR, list: JSONC_LIST_EDITOR };
}

/** Reading a list of TOML checks all of its text. */
export function checkText({ format = "jsonc" }: HookSettings, text: string, { name }: ConnectableAgent): void {
  if (format !== "toml") checkFormat(text, format, name);
}
