/** Zencoder. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const zencoder: Integration = {
  id: "zencoder",
  name: "Zencoder",
  aliases: [],
  folders: ({ home }) => [zencoderSessions(home)],
  history: async () => (await import("./history/source.ts")).zencoderHistory,
};

export function zencoderSessions(home: string): string {
  return join(home, ".zencoder", "sessions");
}
