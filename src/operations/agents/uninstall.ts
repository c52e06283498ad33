import { existsSync } from "node:fs";
import * as z from "zod";
import { changesFile, type Plan, planUninstall } from "../../agents/connect.ts";
import { type Pending, planHooksAway } from "../../agents/hook_plans.ts";
import { AGENTS } from "../../agents/registry.ts";
import { defineOperation } from "../operation.ts";
import { agentEnv, connectAll, connectionFields, connectionOutput } from "./connections.ts";

export const uninstall = defineOperation({
  name: "dex_uninstall",
  verb: "uninstall",
  summary: "Take dex out of your agents' settings again",
  positionals: ["agents"],
  input: z.strictObject({
    ...connectionFields,
    force: z.boolean().default(false).describe('Remove an entry "dex" even if it starts something else'),
  }),
  output: connectionOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const others = AGENTS.filter((agent) =>
      [agent.mcp(env, scope), agent.hooks?.(env, scope)].some((place) => place && existsSync(place.file)),
    );
    const wish = { words: input.agents, others, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const pending: Pending = new Map();
    // Hooks first: the server's entry went in before them.
    return connectAll(
      env,
      wish,
      context,
      (agent) => planUninstall(agent, env, scope, { force: input.force, pending }),
      { before: (agent) => changing(planHooksAway(agent, env, scope, pending)) },
    );
  },
  isEmpty: ({ agents }) => agents.some(({ status }) => status === "failed" || status === "not_ours"),
});

/** Hooks that are not there are not worth a line. */
function changing(plan: Plan | undefined): Plan | undefined {
  return plan && changesFile(plan) ? plan : undefined;
}
