/** VS Code's own chat (Copilot), and that of editors made from it. */
import { editorUserFolders } from "../../history/folders.ts";
import type { Integration } from "../../integration.ts";

export const vscode: Integration = {
  id: "vscode",
  name: "VS Code",
  aliases: ["vs_code", "code", "visual_studio_code", "copilot_chat"],
  handoff: { filePrefix: "#file:" },
  folders: (env) => editorUserFolders(env),
  history: async () => (await import("./history/source.ts")).vscodeHistory,
  settings: async () => (await import("./settings.ts")).vscodeSettings,
  hookName: "copilot",
};
