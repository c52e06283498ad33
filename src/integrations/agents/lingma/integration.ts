/** Lingma, also known as Qoder CN. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const lingma: Integration = {
  id: "lingma",
  name: "Lingma",
  aliases: ["qoder_cn"],
  folders: (env) => [lingmaHome(env)],
  history: async () => (await import("./history/source.ts")).lingmaHistory,
};

export function lingmaHome({ home }: SourceEnv): string {
  return join(home, ".lingma");
}
