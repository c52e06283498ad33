/** What install, uninstall and doctor share: whom to connect, how a plan is told, and how the plans are carried out. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { userHome } from "../../config/paths.ts";
import type { Dex } from "../../dex.ts";
import { CONNECTABLE_IDS, loadConnectableAgents } from "../../integrations/registry.ts";
import {
  type AgentEnv,
  type ConnectableAgent,
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
import { DexError } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import type { OperationContext } from "../operation.ts";

export const connectionFields = {
  agents: z
    .array(z.string())
    .max(100)
    .default([])
    .describe(`Agents: ${CONNECTABLE_IDS.join(", ")}; none named: all that are found`),
  project: z.boolean().default(false).describe("In the files of this project, not in yours"),
  dry_run: z.boolean().default(false).describe("Show what would change, and write nothing"),
  yes: z.boolean().default(false).describe("Do not ask"),
};

const STATUSES = ["added", "updated", "replaced", "removed", "unchanged", "not_ours", "failed"] as const;

export const connectionOutput = z.object({
  agents: z.array(
    z.object({
      agent: z.string(),
      name: z.string(),
      file: z.string(),
      /** The server's entry when not told. */
      what: z.literal("hooks").optional(),
      /** What was done, or where `written` is false, what would be. */
      status: z.enum(STATUSES),
      note: z.string().optional(),
      diff: z.string().optional(),
      backup: z.string().optional(),
    }),
  ),
  scope: z.enum(["user", "project"]),
  written: z.boolean(),
  /** Why nothing was written though something could be. */
  held: z.enum(["dry_run", "declined"]).optional(),
});
type Output = z.output<typeof connectionOutput>;
type Row = Output["agents"][number];

export function agentEnv(dex: Dex): AgentEnv {
  const home = userHome(dex.vars);
  return { home, vars: dex.vars, platform: process.platform, project: projectRoot(dex.cwd, home) };
}

/** The nearest folder above that git knows; never the home folder, which some keep in git as well. */
function projectRoot(cwd: string, home: string): string {
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
  }
  return cwd;
}

const DONE: Readonly<Record<PlanStep, Row["status"]>> = {
  add: "added",
  update: "updated",
  replace: "replaced",
  remove: "removed",
  none: "unchanged",
  not_ours: "not_ours",
};

interface Wish {
  words: readonly string[];
  /** Who is meant where none is named. */
  others: readonly ConnectableAgent[];
  scope: Scope;
  dryRun: boolean;
  yes: boolean;
}

/**
 * A named agent whose file cannot be changed ends the command before anything is written; of all that are found, the
 * others are done and this one is told.
 */
export async function connectAll(
  env: AgentEnv,
  wish: Wish,
  context: OperationContext,
  plan: (agent: ConnectableAgent) => Plan,
  more: { before?(agent: ConnectableAgent): Plan | undefined; after?(agent: ConnectableAgent): Plan | undefined } = {},
): Promise<Output> {
  if (wish.scope === "project" && env.project === env.home) {
    throw new DexError("no_project", `${env.home} is your home folder, not a project.`, {
      hint: "Go to a project's folder, or leave --project out.",
    });
  }
  const agents = wish.words.length > 0 ? await loadConnectableAgents(wish.words) : wish.others;
  const strict = wish.words.length > 0;
  const tried = (agent: ConnectableAgent, make: (agent: ConnectableAgent) => Plan | undefined): (Plan | Row)[] => {
    const made = attempt(env, wish, agent, () => make(agent), strict);
    return made === undefined ? [] : [made];
  };
  const plans = agents.flatMap((agent) => [
    ...tried(agent, (each) => more.before?.(each)),
    ...tried(agent, plan),
    ...tried(agent, (each) => more.after?.(each)),
  ]);
  const rows = plans.map((each) => ("step" in each ? rowOf(each) : each));
  const pending = plans.filter((each): each is Plan => "step" in each && changesFile(each));
  const answer = { agents: rows, scope: wish.scope };
  if (pending.length === 0) return { ...answer, written: false };
  if (wish.dryRun) return { ...answer, written: false, held: "dry_run" };
  const ask = wish.yes ? undefined : context.confirm;
  // Who was asked has seen the changes.
  const told = ask ? rows.map(({ diff, ...row }) => row) : rows;
  if (ask && !(await ask({ ...answer, written: false }))) {
    return { ...answer, agents: told, written: false, held: "declined" };
  }
  const done = plans.map((each, i) => {
    const row = told[i];
    if (!row || !("step" in each)) return rows[i] as Row;
    return attempt(env, wish, each.agent, () => ({ ...row, ...withBackup(carryOut(each)) }), false);
  });
  return { ...answer, agents: done, written: true };
}

function withBackup(backup: string | undefined): { backup?: string } {
  return backup === undefined ? {} : { backup };
}

function attempt<T>(env: AgentEnv, { scope }: Wish, agent: ConnectableAgent, run: () => T, strict: boolean): T | Row {
  try {
    return run();
  } catch (error) {
    if (strict || !(error instanceof DexError)) throw error;
    const { file } = agent.settings.mcp(env, scope);
    return { agent: agent.id, name: agent.name, file, status: "failed", note: error.message };
  }
}

function rowOf({ agent, file, what, step, note, diff }: Plan): Row {
  return {
    agent: agent.id,
    name: what === undefined ? agent.name : `${agent.name}, ${what}`,
    file,
    ...(what === undefined ? {} : { what }),
    status: DONE[step],
    ...(note === undefined ? {} : { note }),
    // The lines around a change may hold another server's key.
    ...(diff === "" ? {} : { diff: redactText(diff).text }),
  };
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

/** How dex stands in the settings of each agent on this machine, and in those of the project where it is named there. */
export async function connectionStates(dex: Dex): Promise<State[]> {
  const env = agentEnv(dex);
  return (await loadConnectableAgents()).flatMap((agent) => {
    const user = isFound(agent, env, "user") ? [stateOf(agent, env, "user")] : [];
    if (env.project === env.home) return user;
    const project = stateOf(agent, env, "project");
    return project.state === "none" ? user : [...user, project];
  });
}

function stateOf(agent: ConnectableAgent, env: AgentEnv, scope: Scope): State {
  const { file } = agent.settings.mcp(env, scope);
  const about = { agent: agent.id, name: agent.name, scope, file };
  try {
    const { connection, lost } = inspectEntry(agent, env, scope);
    return { ...about, state: connection, ...(lost === undefined ? {} : { note: `${lost} is not there` }) };
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return { ...about, state: "unreadable", note: error.message };
  }
}
