/** Mistral Vibe. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const mistralVibe: Integration = {
  id: "mistral_vibe",
  name: "Mistral Vibe",
  aliases: ["vibe"],
  folders: (env) => [vibeSessions(env)],
  history: async () => (await import("./history/source.ts")).mistralVibeHistory,
};

export function vibeSessions({ home, vars }: SourceEnv): string {
  return join(vars.VIBE_HOME || join(home, ".vibe"), "logs", "session");
}
