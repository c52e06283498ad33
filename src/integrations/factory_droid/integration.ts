/** Factory Droid, Factory's command line agent. */
import type { Integration } from "../integration.ts";

export const factoryDroid: Integration = {
  id: "factory_droid",
  name: "Factory Droid",
  aliases: ["droid", "factory"],
  handoff: { filePrefix: "@", resume: ["droid", "--resume"], start: ["droid"] },
  history: async () => (await import("./history/source.ts")).factoryDroidHistory,
};
