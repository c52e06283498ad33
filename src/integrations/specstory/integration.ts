/** SpecStory, which writes down the sessions of other agents: there is nothing to go on with in it. */
import type { Integration } from "../integration.ts";

export const specstory: Integration = {
  id: "specstory",
  name: "SpecStory",
  aliases: [],
  history: async () => (await import("./history/source.ts")).specstoryHistory,
};
