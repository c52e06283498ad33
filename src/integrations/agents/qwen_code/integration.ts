/** Qwen Code. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const qwenCode: Integration = {
  id: "qwen_code",
  name: "Qwen Code",
  aliases: ["qwen"],
  handoff: { filePrefix: "@", resume: ["qwen", "--resume"] },
  folders: (env) => [qwenProjects(env), join(qwenFolder(env), "tmp")],
  history: async () => (await import("./history/source.ts")).qwenCodeHistory,
  settings: async () => (await import("./settings.ts")).qwenCodeSettings,
  hookName: "qwen",
  hooks: async () => (await import("./hooks.ts")).qwenCodeHooks,
};

export function qwenFolder({ home, vars }: SourceEnv): string {
  return vars.QWEN_RUNTIME_DIR || vars.QWEN_HOME || join(home, ".qwen");
}

export function qwenProjects(env: SourceEnv): string {
  return join(qwenFolder(env), "projects");
}
