/**
 * Kimi Code's hooks: Claude Code's events and fields, but a prompt is a list of parts, and `message` is the field whose text
 * the model gets, with a prompt only.
 */
import { asArray, asObject, asString } from "../../../kernel/json.ts";
import { readClaudeStyleEvent } from "../../hooks/claude_style.ts";
import type { HookHost } from "../../hooks/hook_host.ts";

const ANSWERED: ReadonlySet<string> = new Set(["UserPromptSubmit", "PostCompact", "SessionEnd"]);

export const kimiHooks: HookHost = {
  read: (input) => {
    if (!ANSWERED.has(String(input.hook_event_name))) return undefined;
    const parts = asArray(input.prompt).flatMap((part) => asString(asObject(part).text) ?? []);
    return readClaudeStyleEvent({ ...input, prompt: asString(input.prompt) ?? parts.join("\n") });
  },
  answer: (_event, text) => ({ message: text }),
};
