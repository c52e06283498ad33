/** Aider, which keeps its history in the project folder. */
import type { Integration } from "../integration.ts";

export const aider: Integration = {
  id: "aider",
  name: "Aider",
  aliases: [],
  history: async () => (await import("./history/source.ts")).aiderHistory,
};
