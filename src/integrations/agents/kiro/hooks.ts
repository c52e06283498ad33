/**
 * Kiro's hooks. Its editor (since 1.0) and its command line (since 3.0) name the events like Claude Code; the hooks in the
 * agent files of command line 2 have names of their own. The output of a hook reaches the model as it is, when a session
 * starts and with a prompt only; what a hook of a tool call writes is dropped, so dex is not there. Some versions of the
 * editor send an empty prompt.
 */
import { folderOf, type HookHost, idOf, promptOf } from "../../hooks/hook_host.ts";

export const kiroHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd) };
    switch (name) {
      case "SessionStart":
      case "agentSpawn":
        return { ...common, kind: "start", source: "startup" };
      case "UserPromptSubmit":
      case "userPromptSubmit":
        return { ...common, kind: "prompt", prompt: promptOf(input.prompt) };
      case "Stop":
      case "stop":
        return { ...common, kind: "end" };
      default:
        return undefined;
    }
  },
  answer: (_event, text) => text,
};
