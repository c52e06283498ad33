/**
 * Adds dex's hooks to an agent's settings, and removes them again, with plans like those of its server. If one file has
 * both, the later plan starts from the text that the earlier one will leave.
 */
import { existsSync } from "node:fs";
import { type AgentEnv, type ConnectableAgent, hookPlaces, type Scope } from "./agent_settings.ts";
import { backupOf, checkWritable, isLink, mayNameDex, readConfig } from "./config_file.ts";
import { edited, type Plan, type PlanStep } from "./connect.ts";
import { unifiedDiff } from "./diff.ts";
import { commandLine, type HookFile, type HookSettings, isFormer, isOnlyOurs, isOurEntry } from "./hook_entries.ts";
import { checkText, editorsOf, isProgramMissing, offBy } from "./hook_state.ts";

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
    if ("lists" in hooks) checkText(hooks, before ?? "", agent);
    const { text, step, note } =
      "lists" in hooks ? withLists(hooks, before, words, env) : withFile(hooks, before, words);
    const made = before !== undefined && (!existsSync(file) || isOursAlone(hooks, before));
    const by = "lists" in hooks ? offBy(hooks, text) : undefined;
    const off = by === undefined ? undefined : `${agent.name} runs no hooks: ${by} turns them off`;
    const isProgram = "isProgram" in hooks;
    const event = "event" in hooks ? hooks.event : undefined;
    const said = { note: off ?? note ?? hooks.note, event };
    const plan = { agent, scope, file, before, after: text, step, made, isProgram, ...said };
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
  if (!pending.has(file) && !mayNameDex(file)) return [];
  const before = textOf(file, pending);
  if (before === undefined) return [];
  return edited(file, () => {
    const after = "lists" in hooks ? withoutLists(hooks, before) : hooks.isOurs(before) ? undefined : before;
    if ("lists" in hooks && after !== before) checkText(hooks, before, agent);
    const event = "event" in hooks ? hooks.event : undefined;
    const step = after === before ? "none" : "remove";
    const plan = planned({ agent, scope, file, before, after, step, event, pending });
    const backup = existsSync(backupOf(file)) ? readConfig(backupOf(file)) : undefined;
    return { ...plan, dropBackup: after !== undefined && after === backup };
  });
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
  const editor = editorsOf(hooks).list;
  let text = before ?? baseText(hooks);
  let lost = false;
  for (const list of lists) {
    const items = editor.read(text, list.path) ?? [];
    const at = items.findIndex((item) => isOurEntry(list, item));
    if (at >= 0 && !isProgramMissing(items[at], env) && !isFormer(list, items[at])) continue;
    // dex replaces a command that does not exist; other commands in the same entry are not its own to move.
    if (at >= 0 && isOnlyOurs(items[at])) text = editor.remove(text, list.path, at);
    lost ||= at >= 0;
    text = editor.add(text, list.path, list.entry);
  }
  if (text === before) return { text, step: "none" };
  return { text, step: lost ? "update" : "add" };
}

function baseText({ base }: HookSettings): string {
  return base ? `${JSON.stringify(base, null, 2)}\n` : "";
}

/** The text without dex's hooks; undefined if a file that dex created has nothing else. */
function withoutLists(hooks: HookSettings, before: string): string | undefined {
  const backup = existsSync(backupOf(hooks.file)) ? readConfig(backupOf(hooks.file)) : undefined;
  let text = before;
  for (const { path } of hooks.lists("").reverse()) text = withoutItems(hooks, text, path, backup);
  if (text === before) return before;
  const empty = editorsOf(hooks).whole.isBlank(text) || text === baseText(hooks);
  return backup === undefined && empty && !isLink(hooks.file) ? undefined : text;
}

/** A list that is then empty is removed, too, with its parents, unless it existed before dex. */
function withoutItems(
  hooks: HookSettings,
  before: string,
  path: readonly string[],
  backup: string | undefined,
): string {
  const { whole, list } = editorsOf(hooks);
  let text = before;
  const items = list.read(text, path) ?? [];
  for (let at = items.length - 1; at >= 0; at -= 1) if (isOnlyOurs(items[at])) text = list.remove(text, path, at);
  if (text === before || (list.read(text, path) ?? []).length > 0) return text;
  const had = (depth: number): boolean =>
    backup !== undefined && whole.read(backup, path.slice(0, depth)) !== undefined;
  if (had(path.length)) return text;
  const parents = path.slice(0, -1).filter((_, depth) => !had(depth + 1));
  return whole.remove(text, path, parents.length);
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
