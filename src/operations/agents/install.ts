import * as z from "zod";
import { planInstall } from "../../agents/connect.ts";
import { type Pending, planHooks } from "../../agents/hook_plans.ts";
import { launchCommand } from "../../agents/launch.ts";
import { AGENTS, isFound } from "../../agents/registry.ts";
import { defineOperation } from "../operation.ts";
import { agentEnv, connectAll, connectionFields, connectionOutput } from "./connections.ts";

export const install = defineOperation({
  name: "dex_install",
  verb: "install",
  summary: "Connect dex to your agents: add its MCP server, and hooks if wanted, to their settings",
  positionals: ["agents"],
  input: z.strictObject({
    ...connectionFields,
    hooks: z.boolean().default(false).describe("Also hooks: agents are told what is known before they ask"),
    force: z.boolean().default(false).describe('Replace an entry "dex" that starts something else'),
  }),
  output: connectionOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const launch = launchCommand(dex.vars, env.platform);
    const others = AGENTS.filter(
      (agent) => isFound(agent, env, "user") || (input.project && isFound(agent, env, scope)),
    );
    const wish = { words: input.agents, others, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const pending: Pending = new Map();
    const output = await connectAll(
      env,
      wish,
      context,
      (agent) => {
        const plan = planInstall(agent, env, scope, { launch, force: input.force });
        pending.set(plan.file, plan.after);
        return plan;
      },
      input.hooks ? { after: (agent) => planHooks(agent, env, scope, { launch: launch.slice(0, -1), pending }) } : {},
    );
    if (!input.hooks && output.written && !output.held) {
      context.notice?.(
        "With `dex install --hooks` agents are also told what is known before they ask; see docs/hooks.md.",
      );
    }
    if (input.project && launch[0] !== "dex" && output.written) {
      context.notice?.("The files name dex by its place on this machine; install it globally to share them.");
    }
    return output;
  },
  isEmpty: ({ agents }) =>
    agents.length === 0 || agents.some(({ status }) => status === "failed" || status === "not_ours"),
});
