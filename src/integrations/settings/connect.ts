/**
 * Connects dex to an agent, and disconnects it again. First comes a plan, which changes nothing and can be shown; then
 * dex carries it out, unless the file has changed since it was planned.
 */
import { existsSync, rmSync } from "node:fs";
import { missingProgram } from "../../config/own_program.ts";
import { DexError } from "../../kernel/errors.ts";
import { isObject } from "../../kernel/json.ts";
import { type AgentEnv, type ConfigEntry, type ConnectableAgent, type Scope, SECOND_NAME } from "./agent_settings.ts";
import {
  backupOf,
  badConfig,
  checkWritable,
  isLink,
  keepBackup,
  mayNameDex,
  readConfig,
  removeConfig,
  writeConfig,
} from "./config_file.ts";
import { unifiedDiff } from "./diff.ts";
import { BadConfig, type Editor } from "./editing/editor.ts";
import { checkFormat, JSONC_EDITOR } from "./editing/jsonc.ts";
import { TOML_EDITOR } from "./editing/toml.ts";
import { YAML_EDITOR } from "./editing/yaml.ts";
import type { MadeFolders } from "./made_folders.ts";
import { launchOf, relaunched } from "./server_entry.ts";

/**
 * State of an agent's entry: ours and working, ours and turned off, ours with a command that does not exist, someone
 * else's, none.
 */
export type Connection = "connected" | "off" | "broken" | "not_ours" | "none";

export type PlanStep = "add" | "update" | "replace" | "remove" | "none" | "not_ours";

export interface Plan {
  agent: ConnectableAgent;
  scope: Scope;
  file: string;
  /** The default name of the server's entry. */
  what?: "hooks" | "statusline";
  step: PlanStep;
  /** A note for the user. */
  note?: string;
  before: string | undefined;
  /** Undefined: the file is deleted. */
  after: string | undefined;
  diff: string;
  /** The agent starts the file itself, so a new one is executable. */
  isProgram?: boolean;
  /** The event that the file is for, if the agent wants a file for each. */
  event?: string | undefined;
  /** Another plan creates this file: there is nothing to back up. */
  made?: boolean;
  /** The backup equals the future content of the file, so it is not needed any more. */
  dropBackup?: boolean;
}

const EDITORS: Readonly<Record<ConfigEntry["format"], Editor>> = {
  json: JSONC_EDITOR,
  json_with_comments: JSONC_EDITOR,
  jsonc: JSONC_EDITOR,
  toml: TOML_EDITOR,
  yaml: YAML_EDITOR,
};

interface InspectedEntry {
  editor: Editor;
  entry: ConfigEntry;
  text: string | undefined;
  path: readonly string[];
  value: unknown;
  connection: Connection;
  lost: string | undefined;
  /** The name of somebody else's entry which is beside dex's, or in whose place dex's could be. */
  taken?: string | undefined;
}

/**
 * dex's entry, or the place for it: beside another server called `dex`, it has its second name.
 * `pending`: future texts of files once earlier plans are carried out. `force`: only the first name counts.
 */
export function inspectEntry(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  { pending = new Map(), force = false }: { pending?: ReadonlyMap<string, string | undefined>; force?: boolean } = {},
): InspectedEntry {
  const entry = agent.settings.mcp(env, scope);
  const editor = EDITORS[entry.format];
  const text = pending.has(entry.file) ? pending.get(entry.file) : readConfig(entry.file);
  return edited(entry.file, () => {
    if (entry.format !== "toml" && entry.format !== "yaml") checkFormat(text ?? "", entry.format, agent.name);
    const first = entry.path((at) => editor.read(text ?? "", at));
    const [own, second] = [first, [...first.slice(0, -1), SECOND_NAME]].map((path) => {
      const value = editor.read(text ?? "", path);
      const launch = isObject(value) ? launchOf(value) : undefined;
      const lost = launch && missingProgram(launch, env.vars, env.platform);
      return { editor, entry, text, path, value, connection: connectionOf(value, launch, lost), lost };
    }) as [InspectedEntry, InspectedEntry];
    // An entry of the second name stays dex's after the other server is gone.
    const isSecond = own.connection === "none" && isOurs(second.connection);
    if (force || second.connection === "not_ours" || (own.connection !== "not_ours" && !isSecond)) return own;
    return { ...second, taken: own.connection === "not_ours" ? first.at(-1) : undefined };
  });
}

function isOurs(connection: Connection): boolean {
  return connection !== "none" && connection !== "not_ours";
}

function connectionOf(value: unknown, launch: readonly string[] | undefined, lost: string | undefined): Connection {
  if (value === undefined) return "none";
  if (!launch || !isObject(value)) return "not_ours";
  if (lost !== undefined) return "broken";
  return value.enabled === false || value.disabled === true ? "off" : "connected";
}

/** An error about a text that cannot be edited includes the name of its file. */
export function edited<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof BadConfig ? badConfig(file, error.message, error) : error;
  }
}

export function planInstall(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  options: { launch: readonly string[]; force: boolean; pending: ReadonlyMap<string, string | undefined> },
): Plan {
  const inspected = inspectEntry(agent, env, scope, options);
  const { editor, entry, text, path, value, connection, taken } = inspected;
  const { file } = entry;
  const name = path.at(-1) ?? "";
  const fresh = entry.value(options.launch, name);
  const change = (step: PlanStep, after: string, note?: string): Plan => {
    checkWritable(file);
    if (after === text) return { ...unchanged(agent, scope, inspected), ...(note ? { note } : {}) };
    const diff = unifiedDiff(file, text, after);
    return { agent, scope, file, step, before: text, after, diff, ...(note ? { note } : {}) };
  };
  return edited(file, () => {
    const beside =
      taken === undefined ? undefined : `as "${name}": its entry "${taken}" starts something else and stays`;
    if (connection === "none") return change("add", editor.put(text ?? "", path, fresh), beside);
    if (connection === "not_ours" && !options.force) {
      return {
        ...unchanged(agent, scope, inspected),
        step: "not_ours",
        note: `its entry "${name}" starts something else; --force replaces it`,
      };
    }
    if (connection === "not_ours") return change("replace", editor.put(text ?? "", path, fresh));
    if (isObject(value) && (connection === "broken" || options.force)) {
      const fields = relaunched(value, options.launch);
      return change("update", editor.change(text ?? "", path, fields), inspected.lost && `${inspected.lost} is gone`);
    }
    return {
      ...unchanged(agent, scope, inspected),
      ...(connection === "off" ? { note: "it is turned off there" } : {}),
    };
  });
}

function unchanged(
  agent: ConnectableAgent,
  scope: Scope,
  { entry, text }: Pick<InspectedEntry, "entry" | "text">,
): Plan {
  return { agent, scope, file: entry.file, step: "none", before: text, after: text, diff: "" };
}

export function planUninstall(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  options: { force: boolean; pending?: ReadonlyMap<string, string | undefined> },
): Plan {
  const entryHere = agent.settings.mcp(env, scope);
  // A file that cannot be parsed is of no concern here as long as dex is not in it.
  if (!options.pending?.has(entryHere.file) && !mayNameDex(entryHere.file)) {
    return unchanged(agent, scope, { entry: entryHere, text: undefined });
  }
  const inspected = inspectEntry(agent, env, scope, options);
  const { entry, text, connection, path } = inspected;
  const { file } = entry;
  if (text === undefined || connection === "none") return unchanged(agent, scope, inspected);
  if (connection === "not_ours" && !options.force) {
    return {
      ...unchanged(agent, scope, inspected),
      step: "not_ours",
      note: `its entry "${path.at(-1)}" starts something else; --force removes it`,
    };
  }
  checkWritable(file);
  return edited(file, () => {
    const backup = existsSync(backupOf(file)) ? readConfig(backupOf(file)) : undefined;
    const after = without(inspected, text, backup);
    const diff = unifiedDiff(file, text, after);
    return {
      agent,
      scope,
      file,
      step: "remove",
      before: text,
      after,
      diff,
      dropBackup: after !== undefined && after === backup,
    };
  });
}

/** The text without the entry; undefined if a file that dex created has nothing else. */
function without(
  { editor, path, value, entry }: InspectedEntry,
  text: string,
  backup: string | undefined,
): string | undefined {
  if (backup === undefined) {
    const left = editor.remove(text, path, path.length - 1);
    return editor.isBlank(left) && !isLink(entry.file) ? undefined : left;
  }
  if (!isReadable(editor, backup)) return editor.remove(text, path, 0);
  const had = editor.read(backup, path) !== undefined;
  // If dex's own change is the only one, the file gets its original bytes back.
  if (!had && isObject(value) && editor.put(backup, path, value) === text) return backup;
  const parents = path.slice(0, -1).filter((_, depth) => editor.read(backup, path.slice(0, depth + 1)) === undefined);
  return editor.remove(text, path, parents.length);
}

function isReadable(editor: Editor, text: string): boolean {
  try {
    editor.read(text, []);
    return true;
  } catch {
    return false;
  }
}

export function changesFile({ step }: Plan): boolean {
  return step !== "none" && step !== "not_ours";
}

/** Carries a plan out. Returns the backup it made, if it made one. */
export function carryOut(plan: Plan, made: MadeFolders): string | undefined {
  const { file, before, after, scope } = plan;
  if (!changesFile(plan)) return undefined;
  if (readConfig(file) !== before) {
    throw new DexError("changed_meanwhile", `${file} was changed by another program just now.`, {
      hint: "dex did not change it. Run the command again.",
    });
  }
  if (after === undefined) {
    removeConfig(file, scope, made);
    return undefined;
  }
  const kept = plan.step !== "remove" && before !== undefined && !plan.made && keepBackup(file, before);
  made.creating(file, () => writeConfig(file, after, scope, plan.isProgram));
  if (plan.dropBackup) rmSync(backupOf(file), { force: true });
  return kept ? backupOf(file) : undefined;
}
