/** Aider, which keeps its history in the project folder. */
import type { Integration } from "../integration.ts";

export const aider: Integration = {
  id: "aider",
  name: "Aider",
  aliases: [],
  handoff: {},
  history: async () => (await import("./history/source.ts")).aiderHistory,
};
