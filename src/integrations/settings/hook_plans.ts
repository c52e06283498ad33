/**
 * Adds dex's hooks to an agent's settings, and removes them again, with plans like those of its server. If one file has
 * both, the later plan starts from the text that the earlier one will leave.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { missingProgram } from "../../config/own_program.ts";
import type { Json } from "../../kernel/json.ts";
import { type AgentEnv, type ConnectableAgent, hookPlaces, type Scope } from "./agent_settings.ts";
import { backupOf, checkWritable, isLink, readConfig } from "./config_file.ts";
import { edited, type Plan, type PlanStep } from "./connect.ts";
import { unifiedDiff } from "./diff.ts";
import { checkFormat, JSONC_EDITOR } from "./editing/jsonc.ts";
import { addItem, readList, removeItem } from "./editing/jsonc_list.ts";
import { TOML_EDITOR } from "./editing/toml.ts";
import {
  commandLine,
  commandsOf,
  commandWords,
  type HookFile,
  type HookList,
  type HookSettings,
  isFormer,
  isOnlyOurs,
  isOurEntry,
  isOurHook,
} from "./hook_entries.ts";

/** Future texts of files once earlier plans are carried out. */
export type Pending = Map<string, string | undefined>;

export interface HookRequest {
  /** The words that start dex, up to its name. */
  launch: readonly string[];
  pending: Pending;
}

/** One plan for each file; none if the agent runs no hooks that dex could answer. */
export function planHooks(agent: ConnectableAgent, env: AgentEnv, scope: Scope, request: HookRequest): Plan[] {
  return hookPlaces(agent, env, scope).map((hooks) => planPlace(agent, env, scope, hooks, request));
}

function planPlace(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  hooks: HookSettings | HookFile,
  request: HookRequest,
): Plan {
  const { file } = hooks;
  const before = textOf(file, request.pending);
  const words = [...request.launch, "hook", agent.hookName];
  return edited(file, () => {
    if ("lists" in hooks) checkFormat(before ?? "", hooks.format ?? "jsonc", agent.name);
    const { text, step, note } =
      "lists" in hooks ? withLists(hooks, before, words, env) : withFile(hooks, before, words);
    const made = before !== undefined && (!existsSync(file) || isOursAlone(hooks, before));
    const by = "lists" in hooks ? offBy(hooks, text) : undefined;
    const off = by === undefined ? undefined : `${agent.name} runs no hooks: ${by} turns them off`;
    const isProgram = "isProgram" in hooks;
    const plan = { agent, scope, file, before, after: text, step, note: off ?? note ?? hooks.note, made, isProgram };
    return planned({ ...plan, pending: request.pending, isUrgent: off !== undefined });
  });
}

/** dex made the file, and nobody else has written to it since. */
function isOursAlone(hooks: HookSettings | HookFile, text: string): boolean {
  if (!("lists" in hooks)) return hooks.isOurs(text);
  return !existsSync(backupOf(hooks.file)) && withoutLists(hooks, text) === undefined;
}

export function planHookRemoval(agent: ConnectableAgent, env: AgentEnv, scope: Scope, pending: Pending): Plan[] {
  return hookPlaces(agent, env, scope).flatMap((hooks) => planPlaceRemoval(agent, scope, hooks, pending));
}

function planPlaceRemoval(
  agent: ConnectableAgent,
  scope: Scope,
  hooks: HookSettings | HookFile,
  pending: Pending,
): Plan | [] {
  const { file } = hooks;
  const before = textOf(file, pending);
  if (before === undefined) return [];
  return edited(file, () => {
    const after = "lists" in hooks ? withoutLists(hooks, before) : hooks.isOurs(before) ? undefined : before;
    if ("lists" in hooks && after !== before) checkFormat(before, hooks.format ?? "jsonc", agent.name);
    const plan = planned({ agent, scope, file, before, after, step: after === before ? "none" : "remove", pending });
    const backup = existsSync(backupOf(file)) ? readConfig(backupOf(file)) : undefined;
    return { ...plan, dropBackup: after !== undefined && after === backup };
  });
}

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
    checkFormat(text ?? "", hooks.format ?? "jsonc", agent.name);
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
  const ours = hooks.lists("").map((list) => oursIn(list, text));
  if (ours.every((items) => items.length === 0)) return "none";
  if (ours.flat().some((item) => isProgramMissing(item, env))) return "broken";
  return missingEvents(hooks, text).length > 0 ? "outdated" : "on";
}

/** Events that dex answers, but which the settings do not send to it, or not for every tool. */
function missingEvents(hooks: HookSettings, text: string): string[] {
  return hooks.lists("").flatMap((list) => {
    return oursIn(list, text).some((item) => !isFormer(list, item)) ? [] : [list.event?.name ?? list.path.at(-1) ?? ""];
  });
}

function oursIn(list: HookList, text: string): Json[] {
  return (readList(text, list.path) ?? []).filter((item) => isOurEntry(list, item));
}

/** The setting that turns the hooks off, and its file. `text`: the content of the hooks' own file. */
function offBy(hooks: HookSettings, text: string | undefined): string | undefined {
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

function textOf(file: string, pending: Pending): string | undefined {
  return pending.has(file) ? pending.get(file) : readConfig(file);
}

interface Change {
  text: string | undefined;
  step: PlanStep;
  note?: string;
}

function withFile(hooks: HookFile, before: string | undefined, words: readonly string[]): Change {
  const text = hooks.text(words);
  if (before === text) return { text, step: "none" };
  if (before !== undefined && !hooks.isOurs(before)) {
    return { text: before, step: "not_ours", note: "the file belongs to another program" };
  }
  return { text, step: before === undefined ? "add" : "update" };
}

function withLists(hooks: HookSettings, before: string | undefined, words: readonly string[], env: AgentEnv): Change {
  const lists = hooks.lists(commandLine(words, env.platform));
  let text = before ?? baseText(hooks);
  let lost = false;
  for (const list of lists) {
    const items = readList(text, list.path) ?? [];
    const at = items.findIndex((item) => isOurEntry(list, item));
    if (at >= 0 && !isProgramMissing(items[at], env) && !isFormer(list, items[at])) continue;
    // dex replaces a command that does not exist; other commands in the same entry are not its own to move.
    if (at >= 0 && isOnlyOurs(items[at])) text = removeItem(text, list.path, at);
    lost ||= at >= 0;
    text = addItem(text, list.path, list.entry);
  }
  if (text === before) return { text, step: "none" };
  return { text, step: lost ? "update" : "add" };
}

function isProgramMissing(item: Parameters<typeof isOurHook>[0], env: AgentEnv): boolean {
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

function baseText({ base }: HookSettings): string {
  return base ? `${JSON.stringify(base, null, 2)}\n` : "";
}

/** The text without dex's hooks; undefined if a file that dex created has nothing else. */
function withoutLists(hooks: HookSettings, before: string): string | undefined {
  const backup = existsSync(backupOf(hooks.file)) ? readConfig(backupOf(hooks.file)) : undefined;
  let text = before;
  for (const { path } of hooks.lists("").reverse()) text = withoutItems(text, path, backup);
  if (text === before) return before;
  const empty = JSONC_EDITOR.isBlank(text) || text === baseText(hooks);
  return backup === undefined && empty && !isLink(hooks.file) ? undefined : text;
}

/** A list that is then empty is removed, too, with its parents, unless it existed before dex. */
function withoutItems(before: string, path: readonly string[], backup: string | undefined): string {
  let text = before;
  const items = readList(text, path) ?? [];
  for (let at = items.length - 1; at >= 0; at -= 1) if (isOnlyOurs(items[at])) text = removeItem(text, path, at);
  if (text === before || (readList(text, path) ?? []).length > 0) return text;
  const had = (depth: number): boolean =>
    backup !== undefined && JSONC_EDITOR.read(backup, path.slice(0, depth)) !== undefined;
  if (had(path.length)) return text;
  const parents = path.slice(0, -1).filter((_, depth) => !had(depth + 1));
  return JSONC_EDITOR.remove(text, path, parents.length);
}

interface PlanDraft extends Omit<Plan, "diff" | "note"> {
  pending: Pending;
  note?: string | undefined;
  /** The note is shown even if nothing changes. */
  isUrgent?: boolean;
}

function planned(of: PlanDraft): Plan {
  const { pending, note, isUrgent = false, ...plan } = of;
  const changes = plan.step !== "none" && plan.step !== "not_ours";
  if (changes) {
    checkWritable(plan.file);
    pending.set(plan.file, plan.after);
  }
  const diff = changes ? unifiedDiff(plan.file, plan.before, plan.after) : "";
  // After connecting the agent, the user sees the remaining steps.
  const showsNote = note !== undefined && (isUrgent || plan.step !== "none");
  return { ...plan, what: "hooks", diff, ...(showsNote ? { note } : {}) };
}
