/** pi, and the agents that keep their sessions in pi's format. */
import { join } from "node:path";
import { xdgDataFolder } from "../../history/folders.ts";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const pi: Integration = {
  id: "pi",
  name: "pi",
  aliases: [],
  handoff: {
    filePrefix: "@",
    resume: ["pi", "--session"],
    elsewhere: /[\\/]\.(omp|openclaw)[\\/]/,
    start: ["pi"],
  },
  folders: (env) => [join(env.home, ".pi"), sessionsFolder(env), ...ompFolders(env), ...openclawFolders(env)],
  history: async () => (await import("./history/source.ts")).piHistory,
};

export function sessionsFolder({ home, vars }: SourceEnv): string {
  const { PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR } = vars;
  return PI_CODING_AGENT_SESSION_DIR || join(PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions");
}

/** Agents of OpenClaw and of programs made from it. */
export function openclawFolders({ home, vars }: SourceEnv): string[] {
  const homes = [
    vars.OPENCLAW_STATE_DIR || join(home, ".openclaw"),
    join(home, ".kimi_openclaw"),
    join(home, ".qclaw"),
  ];
  return homes.map((folder) => join(folder, "agents"));
}

/** omp was made from pi. */
function ompFolders(env: SourceEnv): string[] {
  return [join(env.home, ".omp"), join(xdgDataFolder(env), "omp")];
}
