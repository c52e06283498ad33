/**
 * Gemini CLI's hooks. Its prompts come with `BeforeAgent`, its tools with `AfterTool`: `BeforeTool` takes no context. It
 * announces that it will compress a conversation, and starts no new session afterwards. It sends the automatic
 * announcement before every request to the model, also when it then compresses nothing, so only the one for `/compress`
 * means anything. A resumed session has lost the text of `SessionStart`, so dex tells its start again. Only JSON may be
 * written to stdout.
 */
import { additionalContext } from "../../hooks/claude_style.ts";
import { folderOf, type HookHost, idOf, promptOf, sourceOf } from "../../hooks/hook_host.ts";
import { afterTool } from "../../hooks/tool_events.ts";

export const geminiHooks: HookHost = {
  read: (input) => {
    const name = String(input.hook_event_name);
    const common = { name, session: idOf(input.session_id), folder: folderOf(input.cwd) };
    switch (name) {
      case "SessionStart":
        return { ...common, kind: "start", source: sourceOf(input.source), isLost: input.source === "resume" };
      case "BeforeAgent":
        return { ...common, kind: "prompt", prompt: promptOf(input.prompt) };
      case "AfterTool":
        return afterTool(common, input, input.tool_response);
      case "SessionEnd":
        return { ...common, kind: "end" };
      case "PreCompress":
        return input.trigger === "auto" ? undefined : { ...common, kind: "compacted" };
      default:
        return undefined;
    }
  },
  answer: additionalContext,
};
