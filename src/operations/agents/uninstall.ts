/** `dex uninstall`: removes dex from the settings of agents. */
import { existsSync } from "node:fs";
import * as z from "zod";
import { loadConnectableAgents } from "../../integrations/registry.ts";
import { hookPlaces } from "../../integrations/settings/agent_settings.ts";
import { changesFile, planUninstall } from "../../integrations/settings/connect.ts";
import { type Pending, planHookRemoval } from "../../integrations/settings/hook_plans.ts";
import { planStatusLineRemoval } from "../../integrations/settings/statusline_plans.ts";
import { defineOperation } from "../operation.ts";
import { agentEnv, connectAll, connectionFields, connectionOutput, isIncomplete } from "./connections.ts";

export const uninstall = defineOperation({
  name: "dex_uninstall",
  verb: "uninstall",
  summary: "Remove dex from your agents' settings",
  positionals: ["agents"],
  input: z.strictObject({
    ...connectionFields,
    force: z.boolean().default(false).describe('Remove an entry "dex" even if it starts another program'),
  }),
  output: connectionOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const fallback = (await loadConnectableAgents()).filter((agent) => {
      const { mcp, statusLine, sharesHooks } = agent.settings;
      // The file of shared hooks belongs to another agent, which removes them.
      const hooks = sharesHooks ? [] : hookPlaces(agent, env, scope);
      return [mcp(env, scope), ...hooks, statusLine?.(env, scope)].some((place) => place && existsSync(place.file));
    });
    const request = { named: input.agents, fallback, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const pending: Pending = new Map();
    // Reverse order of install: the status line and hooks first, then the server's entry.
    const output = await connectAll(
      env,
      request,
      context,
      (agent) => {
        const plan = planUninstall(agent, env, scope, { force: input.force, pending });
        // Agents may share a file: the next plan starts from what this one leaves.
        if (changesFile(plan)) pending.set(plan.file, plan.after);
        return plan;
      },
      {
        // Absent hooks are not reported.
        before: [planStatusLineRemoval, planHookRemoval].map(
          (make) => (agent) => [make(agent, env, scope, pending) ?? []].flat().filter(changesFile),
        ),
      },
    );
    if (input.agents.length === 0 && scope === "user" && output.held === undefined && existsSync(dex.paths.home)) {
      context.notice?.(
        `dex's own data stays in ${dex.paths.home}: delete that folder, too, if you do not want to keep it.`,
      );
    }
    return output;
  },
  isEmpty: isIncomplete,
});
