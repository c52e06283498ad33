import * as z from "zod";
import { defineProgram } from "../command.ts";

export const hook = defineProgram({
  verb: "hook",
  summary: "Answer an agent's hook with what dex knows, before the agent asks",
  about:
    "Reads one event of an agent as JSON from stdin and writes the answer to stdout in the form that agent expects. " +
    "Hosts: claude, codex, gemini, cursor, opencode, copilot (also for VS Code), cline, crush, droid, qwen, kiro, " +
    "qoder, auggie, kimi. Always exits with status 0; after 300 ms (hooks.budgetMs; three times as long at the start of a " +
    "session) the answer is empty. `dex install --hooks` sets it up. DEX_HOOKS=off silences all moments, " +
    "DEX_HOOKS_OFF=command,edit only these.",
  positionals: ["host"],
  input: z.strictObject({ host: z.string().max(100).default("").describe("The agent that calls: one of the hosts") }),
  run: async ({ host }) => (await (await import("../../hooks/hook.ts")).hook([host])).status,
});
