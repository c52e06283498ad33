/** iFlow CLI. */
import { join } from "node:path";
import type { Integration } from "../integration.ts";

export const iflow: Integration = {
  id: "iflow",
  name: "iFlow CLI",
  aliases: ["iflow_cli"],
  handoff: { filePrefix: "@", resume: ["iflow", "--resume"], start: ["iflow", "-i"] },
  folders: ({ home }) => [iflowProjects(home)],
  history: async () => (await import("./history/source.ts")).iflowHistory,
};

export function iflowProjects(home: string): string {
  return join(home, ".iflow", "projects");
}
