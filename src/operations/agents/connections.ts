/** Shared by install, uninstall and doctor: choosing agents, reporting plans, carrying them out, and connection states. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { userHome } from "../../config/paths.ts";
import type { Dex } from "../../dex.ts";
import { CONNECTABLE_IDS, loadConnectableAgents } from "../../integrations/registry.ts";
import {
  type AgentEnv,
  type ConnectableAgent,
  hasScope,
  isFound,
  type Scope,
} from "../../integrations/settings/agent_settings.ts";
import {
  type Connection,
  carryOut,
  changesFile,
  inspectEntry,
  type Plan,
  type PlanStep,
} from "../../integrations/settings/connect.ts";
import { hookState } from "../../integrations/settings/hook_state.ts";
import { MadeFolders } from "../../integrations/settings/made_folders.ts";
import { defined } from "../../kernel/defined.ts";
import { DexError } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import type { OperationContext } from "../operation.ts";

export const connectionFields = {
  agents: z
    .array(z.string())
    .max(100)
    .default([])
    .describe(`Agents: ${CONNECTABLE_IDS.join(", ")} (default: all installed ones)`),
  project: z.boolean().default(false).describe("Change this project's settings, not your own"),
  dry_run: z.boolean().default(false).describe("Show the changes, and write nothing"),
  yes: z.boolean().default(false).describe("Do not ask for confirmation"),
};

const STATUSES = ["added", "updated", "replaced", "removed", "unchanged", "not_ours", "failed"] as const;

export const connectionOutput = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      name: z.string(),
      file: z.string(),
      /** The server's entry when absent. */
      what: z.enum(["hooks", "statusline"]).optional(),
      /** The change made, or the change that would be made when `written` is false. */
      status: z.enum(STATUSES),
      note: z.string().optional(),
      diff: z.string().optional(),
      backup: z.string().optional(),
    }),
  ),
  scope: z.enum(["user", "project"]),
  written: z.boolean(),
  /** Why the changes were not written. */
  held: z.enum(["dry_run", "declined"]).optional(),
});
type Output = z.output<typeof connectionOutput>;
type Row = Output["agents"][number];

export function agentEnv(dex: Dex): AgentEnv {
  const home = userHome(dex.vars);
  return { home, vars: dex.vars, platform: process.platform, project: projectRoot(dex.cwd, home) };
}

/** The root of the git repository, but never the home folder, which some people keep in git. */
function projectRoot(cwd: string, home: string): string {
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
  }
  return cwd;
}

const STATUS_AFTER: Readonly<Record<PlanStep, Row["status"]>> = {
  add: "added",
  update: "updated",
  replace: "replaced",
  remove: "removed",
  none: "unchanged",
  not_ours: "not_ours",
};

interface ConnectRequest {
  /** Agents as named on the command line. */
  named: readonly string[];
  /** The agents to use when none is named. */
  fallback: readonly ConnectableAgent[];
  scope: Scope;
  dryRun: boolean;
  yes: boolean;
}

type MakePlan = (agent: ConnectableAgent) => Plan | readonly Plan[] | undefined;

/**
 * Plans and makes the changes. When an agent was named and its file cannot be changed, the command fails before
 * anything is written. Without names, the failure is reported and the other agents are changed.
 */
export async function connectAll(
  env: AgentEnv,
  request: ConnectRequest,
  context: OperationContext,
  plan: (agent: ConnectableAgent) => Plan,
  more: { before?: readonly MakePlan[]; after?: readonly MakePlan[] },
): Promise<Output> {
  if (request.scope === "project" && env.project === env.home) {
    throw new DexError("no_project", `${env.home} is your home folder, not a project.`, {
      hint: "Go to a project's folder, or omit --project.",
    });
  }
  const named = await loadConnectableAgents(request.named);
  const global = named.find((agent) => !hasScope(agent, request.scope));
  if (global) {
    throw new DexError("no_project_settings", `${global.name} has no project settings.`, {
      hint: "Omit --project: its own settings apply to every project.",
    });
  }
  const agents = request.named.length > 0 ? named : request.fallback.filter((agent) => hasScope(agent, request.scope));
  const strict = request.named.length > 0;
  const planned = (agent: ConnectableAgent, make: MakePlan): (Plan | Row)[] => {
    return [attempt(env, request, agent, () => make(agent), strict) ?? []].flat();
  };
  const plans = agents.flatMap((agent) =>
    withoutRepeats([
      ...(more.before ?? []).flatMap((make) => planned(agent, make)),
      ...planned(agent, plan),
      ...(more.after ?? []).flatMap((make) => planned(agent, make)),
    ]),
  );
  const rows = plans.map((each) => ("step" in each ? rowOf(each) : each));
  const pending = plans.filter((each): each is Plan => "step" in each && changesFile(each));
  const answer = { agents: rows, scope: request.scope };
  if (pending.length === 0) return { ...answer, written: false };
  if (request.dryRun) return { ...answer, written: false, held: "dry_run" };
  const ask = request.yes ? undefined : context.confirm;
  // The question already showed the changes.
  const shortRows = ask ? rows.map(({ diff, ...row }) => row) : rows;
  if (ask && !(await ask({ ...answer, written: false }))) {
    return { ...answer, agents: shortRows, written: false, held: "declined" };
  }
  const made = new MadeFolders(env.vars);
  const done = plans.map((each, i) => {
    const row = shortRows[i];
    if (!row || !("step" in each)) return rows[i] as Row;
    return attempt(env, request, each.agent, () => defined({ ...row, backup: carryOut(each, made) }), false);
  });
  return { ...answer, agents: done, written: true };
}

/** Reports an unreadable file only once: it may contain both the server and the hooks. */
function withoutRepeats(plans: (Plan | Row)[]): (Plan | Row)[] {
  const failures = new Set<string | undefined>();
  return plans.filter((each) => "step" in each || (!failures.has(each.note) && failures.add(each.note)));
}

function attempt<T>(
  env: AgentEnv,
  { scope }: ConnectRequest,
  agent: ConnectableAgent,
  run: () => T,
  strict: boolean,
): T | Row {
  try {
    return run();
  } catch (error) {
    if (strict || !(error instanceof DexError)) throw error;
    const { file } = agent.settings.mcp(env, scope);
    return { agent: agent.id, name: agent.name, file, status: "failed", note: error.message };
  }
}

const WHAT_NAMES = { hooks: "hooks", statusline: "status line" } as const;

function rowOf({ agent, file, what, step, note, diff, event }: Plan): Row {
  const about = event === undefined ? what && WHAT_NAMES[what] : `hook ${event}`;
  return defined({
    agent: agent.id,
    name: about === undefined ? agent.name : `${agent.name}, ${about}`,
    file,
    what,
    status: STATUS_AFTER[step],
    note,
    // The lines around a change may contain another server's key.
    diff: diff === "" ? undefined : redactText(diff).text,
  });
}

const CONNECTIONS: readonly [Connection, ...Connection[]] = ["connected", "off", "broken", "not_ours", "none"];

export const connectionState = z.object({
  agent: z.string(),
  name: z.string(),
  scope: z.enum(["user", "project"]),
  file: z.string(),
  state: z.enum([...CONNECTIONS, "unreadable"]),
  note: z.string().optional(),
});
type State = z.output<typeof connectionState>;

/**
 * Whether something that the user asked for could not be done. A status line of the user's own, or a hook of theirs in
 * the place of one of dex's, does not count as long as dex has its other hooks.
 */
export function isIncomplete({ agents }: Pick<Output, "agents">): boolean {
  return agents.some(({ agent, what, status }) => {
    if (status !== "not_ours" || what === "statusline") return status === "failed";
    return agents.every((other) => other.agent !== agent || other.what !== what || other.status === "not_ours");
  });
}

/** The state of dex in the user settings of each installed agent, and in project settings that name it. */
export async function connectionStates(dex: Dex): Promise<State[]> {
  const env = agentEnv(dex);
  return (await loadConnectableAgents()).flatMap((agent) => {
    const user = isFound(agent, env, "user") ? [stateOf(agent, env, "user")] : [];
    if (env.project === env.home || !hasScope(agent, "project")) return user;
    const project = stateOf(agent, env, "project");
    return project.state === "none" ? user : [...user, project];
  });
}

function stateOf(agent: ConnectableAgent, env: AgentEnv, scope: Scope): State {
  const { file } = agent.settings.mcp(env, scope);
  const about = { agent: agent.id, name: agent.name, scope, file };
  try {
    const { connection, lost } = inspectEntry(agent, env, scope);
    return defined({ ...about, state: connection, note: lost === undefined ? undefined : `${lost} does not exist` });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return { ...about, state: "unreadable", note: error.message };
  }
}

/** The state of hooks in each agent's own settings, and in project settings that have some. */
export async function hookStates(dex: Dex) {
  const env = agentEnv(dex);
  return (await loadConnectableAgents()).flatMap((agent) =>
    (["user", "project"] as const).flatMap((scope) => {
      if (scope === "project" && (env.project === env.home || !hasScope(agent, scope))) return [];
      const found = hookState(agent, env, scope);
      if (!found) return [];
      const isUsed = isFound(agent, env, scope);
      if (found.state === "none" ? scope === "project" || !isUsed : agent.settings.sharesHooks && !isUsed) return [];
      return [{ agent: agent.id, name: agent.name, scope, ...found }];
    }),
  );
}
