/** `dex install`: adds dex's MCP server, and optionally its hooks, to the settings of agents, and offers the first sync. */
import * as z from "zod";
import { loadConnectableAgents } from "../../integrations/registry.ts";
import { isFound } from "../../integrations/settings/agent_settings.ts";
import { planInstall } from "../../integrations/settings/connect.ts";
import { type Pending, planHooks } from "../../integrations/settings/hook_plans.ts";
import { hookState } from "../../integrations/settings/hook_state.ts";
import { launchCommand } from "../../integrations/settings/server_entry.ts";
import { planStatusLine } from "../../integrations/settings/statusline_plans.ts";
import { defineOperation } from "../operation.ts";
import { agentEnv, connectAll, connectionFields, connectionOutput, isIncomplete } from "./connections.ts";
import { firstSyncOutput, offerFirstSync } from "./first_sync.ts";

export const install = defineOperation({
  name: "dex_install",
  verb: "install",
  summary: "Connect dex to your agents: add its MCP server, and optionally hooks, to their settings",
  positionals: ["agents"],
  input: z.strictObject({
    ...connectionFields,
    hooks: z.boolean().default(false).describe("Also add hooks, which give agents context before they ask"),
    statusline: z.boolean().default(false).describe("Also add dex's status line to agents that have none"),
    force: z.boolean().default(false).describe('Replace an entry "dex" that starts another program'),
    sync: z.boolean().default(false).describe("Sync afterwards without asking; --no-sync leaves it out"),
  }),
  output: connectionOutput.extend({
    /** The first sync, if the index needs one. */
    first_sync: firstSyncOutput.optional(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const launch = launchCommand(dex.vars, env.platform);
    const agents = await loadConnectableAgents();
    const fallback = agents.filter(
      (agent) => isFound(agent, env, "user") || (input.project && isFound(agent, env, scope)),
    );
    const request = { named: input.agents, fallback, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const pending: Pending = new Map();
    const output = await connectAll(
      env,
      request,
      context,
      (agent) => {
        const plan = planInstall(agent, env, scope, { launch, force: input.force, pending });
        pending.set(plan.file, plan.after);
        return plan;
      },
      {
        after: [...(input.hooks ? [planHooks] : []), ...(input.statusline ? [planStatusLine] : [])].map(
          (make) => (agent) => make(agent, env, scope, { launch: launch.slice(0, -1), pending }),
        ),
      },
    );
    const connected = agents.filter(({ id }) => output.agents.some(({ agent }) => agent === id));
    const lacksHooks = connected.some((agent) => hookState(agent, env, scope)?.state === "none");
    if (!input.hooks && output.written && !output.held && lacksHooks) {
      context.notice?.("`dex install --hooks` also gives agents context before they ask; see docs/guide/hooks.md.");
    }
    if (input.project && launch[0] !== "dex" && output.written) {
      context.notice?.("The files contain the path of dex on this machine; install dex globally to share them.");
    }
    if (output.held || input.dry_run || output.agents.length === 0) return output;
    const sync = await offerFirstSync(dex, input.yes || input.sync, context);
    return sync ? { ...output, first_sync: sync } : output;
  },
  isEmpty: ({ agents, first_sync }) =>
    agents.length === 0 || isIncomplete({ agents }) || first_sync?.status === "failed",
});
