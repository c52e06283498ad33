import { existsSync } from "node:fs";
import * as z from "zod";
import { loadConnectableAgents } from "../../integrations/registry.ts";
import { changesFile, type Plan, planUninstall } from "../../integrations/settings/connect.ts";
import { type Pending, planHookRemoval } from "../../integrations/settings/hook_plans.ts";
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
  fresh: false,
  run: async (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const others = (await loadConnectableAgents()).filter(({ settings }) =>
      [settings.mcp(env, scope), settings.hooks?.(env, scope)].some((place) => place && existsSync(place.file)),
    );
    const wish = { words: input.agents, others, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const pending: Pending = new Map();
    // Hooks first: the server's entry went in before them.
    return connectAll(
      env,
      wish,
      context,
      (agent) => planUninstall(agent, env, scope, { force: input.force, pending }),
      { before: (agent) => changing(planHookRemoval(agent, env, scope, pending)) },
    );
  },
  isEmpty: ({ agents }) => agents.some(({ status }) => status === "failed" || status === "not_ours"),
});

/** Hooks that are not there are not worth a line. */
function changing(plan: Plan | undefined): Plan | undefined {
  return plan && changesFile(plan) ? plan : undefined;
}
