/** Auggie, the command line of Augment Code. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const auggie: Integration = {
  id: "auggie",
  name: "Auggie",
  aliases: ["augment"],
  folders: ({ home }) => [auggieSessions(home)],
  history: async () => (await import("./history/source.ts")).auggieHistory,
  settings: async () => (await import("./settings.ts")).auggieSettings,
  hookName: "auggie",
  hooks: async () => (await import("./hooks.ts")).auggieHooks,
};

export function auggieSessions(home: string): string {
  return join(home, ".augment", "sessions");
}
