/** Rovo Dev. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const rovoDev: Integration = {
  id: "rovo_dev",
  name: "Rovo Dev",
  aliases: ["rovo", "rovodev"],
  folders: ({ home }) => [rovoSessions(home)],
  history: async () => (await import("./history/source.ts")).rovoDevHistory,
};

export function rovoSessions(home: string): string {
  return join(home, ".rovodev", "sessions");
}
