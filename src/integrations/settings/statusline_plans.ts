/**
 * Adds dex's status line to an agent's settings, and removes it again. An agent has one status line: dex never replaces
 * one that a person has set.
 */
import { existsSync } from "node:fs";
import { isDex, missingProgram } from "../../config/own_program.ts";
import { asObject, asString, type Json, type JsonObject } from "../../kernel/json.ts";
import type { AgentEnv, ConnectableAgent, Scope } from "./agent_settings.ts";
import { backupOf, checkWritable, isLink, mayNameDex, readConfig } from "./config_file.ts";
import { edited, type Plan, type PlanStep } from "./connect.ts";
import { unifiedDiff } from "./diff.ts";
import { checkFormat, JSONC_EDITOR } from "./editing/jsonc.ts";
import { commandLine, commandWords } from "./hook_entries.ts";
import type { HookRequest, Pending } from "./hook_plans.ts";

/** Undefined: the agent has no status line. */
export function planStatusLine(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  request: HookRequest,
): Plan | undefined {
  const place = agent.settings.statusLine?.(env, scope);
  if (!place) return undefined;
  const { file, path, format = "jsonc" } = place;
  const before = textOf(file, request.pending);
  return edited(file, () => {
    checkFormat(before ?? "", format, agent.name);
    const value = JSONC_EDITOR.read(before ?? "", path);
    const plan = { agent, scope, file, before, pending: request.pending };
    if (value !== undefined && !isOurs(value)) {
      return planned({ ...plan, after: before, step: "not_ours", note: "it already has a status line, which stays" });
    }
    const words = [...request.launch, "statusline"];
    if (value !== undefined && missingProgram(launchOf(value), env.vars, env.platform) === undefined) {
      return planned({ ...plan, after: before, step: "none" });
    }
    const entry: JsonObject = { type: "command", command: commandLine(words, env.platform) };
    const after = JSONC_EDITOR.put(before ?? "", path, entry);
    return planned({ ...plan, after, step: value === undefined ? "add" : "update" });
  });
}

export function planStatusLineRemoval(
  agent: ConnectableAgent,
  env: AgentEnv,
  scope: Scope,
  pending: Pending,
): Plan | undefined {
  const place = agent.settings.statusLine?.(env, scope);
  if (!place) return undefined;
  const { file, path } = place;
  if (!pending.has(file) && !mayNameDex(file)) return undefined;
  const before = textOf(file, pending);
  if (before === undefined) return undefined;
  return edited(file, () => {
    if (!isOurs(JSONC_EDITOR.read(before, path))) return undefined;
    const text = JSONC_EDITOR.remove(before, path, 0);
    const backup = existsSync(backupOf(file)) ? readConfig(backupOf(file)) : undefined;
    const isEmpty = backup === undefined && JSONC_EDITOR.isBlank(text) && !isLink(file);
    const after = isEmpty ? undefined : text;
    const plan = planned({ agent, scope, file, before, after, step: "remove", pending });
    return { ...plan, dropBackup: after !== undefined && after === backup };
  });
}

/** `dex statusline`, by any path. */
function isOurs(value: Json | undefined): boolean {
  const words = commandWords(asString(asObject(value).command) ?? "");
  return words.at(-1) === "statusline" && isDex(words.at(-2) ?? "");
}

function launchOf(value: Json | undefined): string[] {
  return commandWords(asString(asObject(value).command) ?? "").slice(0, -1);
}

function textOf(file: string, pending: Pending): string | undefined {
  return pending.has(file) ? pending.get(file) : readConfig(file);
}

interface Draft {
  agent: ConnectableAgent;
  scope: Scope;
  file: string;
  before: string | undefined;
  after: string | undefined;
  step: PlanStep;
  note?: string;
  pending: Pending;
}

function planned({ pending, ...plan }: Draft): Plan {
  const changes = plan.step !== "none" && plan.step !== "not_ours";
  const made = plan.before !== undefined && !existsSync(plan.file);
  if (changes) {
    checkWritable(plan.file);
    pending.set(plan.file, plan.after);
  }
  return { ...plan, what: "statusline", made, diff: changes ? unifiedDiff(plan.file, plan.before, plan.after) : "" };
}
