/** iFlow CLI. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const iflow: Integration = {
  id: "iflow",
  name: "iFlow CLI",
  aliases: ["iflow_cli"],
  folders: ({ home }) => [iflowProjects(home), join(iflowFolder(home), "tmp")],
  history: async () => (await import("./history/source.ts")).iflowHistory,
};

export function iflowFolder(home: string): string {
  return join(home, ".iflow");
}

export function iflowProjects(home: string): string {
  return join(iflowFolder(home), "projects");
}
