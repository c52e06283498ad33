/** Aider, which keeps its history beside the code. */
import type { Integration } from "../integration.ts";

export const aider: Integration = {
  id: "aider",
  name: "Aider",
  aliases: [],
  handoff: {},
  history: async () => (await import("./history/source.ts")).aiderHistory,
};
