/** VS Code, whose own chat can use MCP servers. dex does not read its history. */
import type { Integration } from "../integration.ts";

export const vscode: Integration = {
  id: "vscode",
  name: "VS Code",
  aliases: ["vs_code", "code", "visual_studio_code"],
  handoff: { filePrefix: "#file:" },
  settings: async () => (await import("./settings.ts")).vscodeSettings,
};
