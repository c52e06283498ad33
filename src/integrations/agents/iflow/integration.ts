/** iFlow CLI. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const iflow: Integration = {
  id: "iflow",
  name: "iFlow CLI",
  aliases: ["iflow_cli"],
  folders: ({ home }) => [iflowProjects(home)],
  history: async () => (await import("./history/source.ts")).iflowHistory,
};

export function iflowProjects(home: string): string {
  return join(home, ".iflow", "projects");
}
