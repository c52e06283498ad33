/** OpenHands: its command line and SDK. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const openhands: Integration = {
  id: "openhands",
  name: "OpenHands",
  aliases: [],
  handoff: { resume: ["openhands", "--resume"], start: ["openhands", "-t"] },
  folders: (env) => [openhandsConversations(env)],
  history: async () => (await import("./history/source.ts")).openhandsHistory,
};

export function openhandsConversations({ home, vars }: SourceEnv): string {
  const { OPENHANDS_CONVERSATIONS_DIR, OPENHANDS_PERSISTENCE_DIR } = vars;
  return OPENHANDS_CONVERSATIONS_DIR || join(OPENHANDS_PERSISTENCE_DIR || join(home, ".openhands"), "conversations");
}
