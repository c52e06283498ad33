/** pi, and the agents that keep their sessions in pi's format. */
import type { Integration } from "../integration.ts";

export const pi: Integration = {
  id: "pi",
  name: "pi",
  aliases: [],
  handoff: {
    filePrefix: "@",
    resume: ["pi", "--session"],
    elsewhere: /[\\/]\.(omp|openclaw)[\\/]/,
    start: ["pi"],
  },
  history: async () => (await import("./history/source.ts")).piHistory,
};
