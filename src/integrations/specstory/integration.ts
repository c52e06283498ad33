/** SpecStory, which records the sessions of other agents: nobody continues a session in it. */
import type { Integration } from "../integration.ts";

export const specstory: Integration = {
  id: "specstory",
  name: "SpecStory",
  aliases: [],
  history: async () => (await import("./history/source.ts")).specstoryHistory,
};
