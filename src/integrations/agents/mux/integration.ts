/** Mux. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const mux: Integration = {
  id: "mux",
  name: "Mux",
  aliases: [],
  folders: (env) => [muxSessions(env)],
  history: async () => (await import("./history/source.ts")).muxHistory,
};

export function muxSessions({ home, vars }: SourceEnv): string {
  return join(vars.MUX_ROOT || join(home, ".mux"), "sessions");
}
