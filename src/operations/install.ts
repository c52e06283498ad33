import * as z from "zod";
import { planInstall } from "../agents/connect.ts";
import { launchCommand } from "../agents/launch.ts";
import { AGENTS, isFound } from "../agents/registry.ts";
import { agentEnv, connectAll, connectionFields, connectionOutput } from "./connections.ts";
import { defineOperation } from "./operation.ts";

export const install = defineOperation({
  name: "dex_install",
  verb: "install",
  summary: "Connect dex to your agents: add its MCP server to their settings",
  positionals: ["agents"],
  input: z.strictObject({
    ...connectionFields,
    force: z.boolean().default(false).describe('Replace an entry "dex" that starts something else'),
  }),
  output: connectionOutput,
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input, context) => {
    const env = agentEnv(dex);
    const scope = input.project ? "project" : "user";
    const launch = launchCommand(dex.vars, env.platform);
    const others = AGENTS.filter(
      (agent) => isFound(agent, env, "user") || (input.project && isFound(agent, env, scope)),
    );
    const wish = { words: input.agents, others, scope, dryRun: input.dry_run, yes: input.yes } as const;
    const output = await connectAll(env, wish, context, (agent) =>
      planInstall(agent, env, scope, { launch, force: input.force }),
    );
    if (input.project && launch[0] !== "dex" && output.written) {
      context.notice?.("The files name dex by its place on this machine; install it globally to share them.");
    }
    return output;
  },
  isEmpty: ({ agents }) =>
    agents.length === 0 || agents.some(({ status }) => status === "failed" || status === "not_ours"),
});
