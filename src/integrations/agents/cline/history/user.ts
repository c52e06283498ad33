/**
 * A user record of Cline's model history: the user's words without the wrapping, and the tool results.
 *
 * Results come as tool_result blocks or as text: `[read_file for 'a.ts'] Result:`, followed by the output in the same
 * block or in the next one. The user's reply to a tool's question or refusal is inside the tool's result.
 */
import type { ToolResultPart } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asString, type JsonObject } from "../../../../kernel/json.ts";
import { attachmentText, isAttachment, resultPart } from "../../../history/building/blocks.ts";
import { blockTexts, isHousekeeping, stripBlocks } from "../../../history/building/wrappers.ts";

export interface PendingCall {
  id?: string;
  name: string;
}

interface UserTurn {
  results: ToolResultPart[];
  words: string[];
}

/** Added by Cline: the state of the editor, files named with `@`, hooks, notices. */
const NOISE = [
  "environment_details",
  "file_content",
  "folder_content",
  "url_content",
  "workspace_diagnostics",
  "git_working_state",
  "git_commit",
  "terminal_output",
  "explicit_instructions",
  "hook_context",
  "mode_notice",
  "system-reminder",
];
const NUDGE =
  /^(?:\[ERROR\] You did not use a tool|# task_progress|# TODO LIST|# todo list|\[TASK RESUMPTION\]|Files attached by the user:$)/;

const EDITOR_STATE = /^<environment_details>[\s\S]*<\/environment_details>$/;
/** The user's words, as Cline passes them on. */
const WRAPPER = /^<(task|user_message|user_input|feedback|answer)(?:\s[^>]*)?>/;
const PREAMBLE = /^(?:\[TASK RESUMPTION\]|The user (?:has )?provided|New (?:instructions|message))/;
/** Tools whose result is the user speaking. */
const ASKING = new Set(
  "ask_followup_question attempt_completion plan_mode_respond plan_mode_response new_task condense report_bug".split(
    " ",
  ),
);
const HEADER = /^\[([a-z]\w*)(?: [\s\S]{0,4000}?)?\] Result:[ \t]*\n?/;

/** `calls` are those of the assistant's last message; the results of this record answer them in order. */
export function userTurn(blocks: readonly JsonObject[], calls: readonly PendingCall[]): UserTurn {
  const turn: UserTurn = { results: [], words: [] };
  const open = [...calls];
  let current: ToolResultPart | undefined;
  for (const block of blocks) {
    if (block.type === "tool_result") {
      const result = resultPart(block, (id) => calls.find((call) => call.id === id)?.name);
      turn.results.push(result);
      current = undefined;
      continue;
    }
    const text = isAttachment(block) ? attachmentText(block) : (asString(block.text) ?? "").trim();
    if (text === "" || EDITOR_STATE.test(text)) continue;
    const header = HEADER.exec(text);
    if (header) {
      current = textResult(header[1] ?? "", text.slice(header[0].length), open);
      turn.results.push(current);
    } else if (!current) {
      turn.words.push(...wordsOf(stripBlocks(text, NOISE)));
    } else if (!NUDGE.test(text)) {
      current.output = current.output === "" ? text : `${current.output}\n${text}`;
    }
  }
  for (const result of turn.results) takeWords(result, turn.words);
  return turn;
}

/** The user's words in a text that is not a tool result. */
export function wordsOf(text: string): string[] {
  const words = unwrapped(text.trim());
  return words === "" || NUDGE.test(words) || isHousekeeping(words) ? [] : [words];
}

/** Only text that Cline wraps begins with a wrapper: a tag further in is part of what the user wrote. */
function unwrapped(text: string): string {
  const wrapper = WRAPPER.exec(text);
  if (wrapper) {
    const close = text.lastIndexOf(`</${wrapper[1]}>`);
    return text.slice(wrapper[0].length, close < 0 ? undefined : close).trim();
  }
  const userWords = PREAMBLE.test(text) ? [...blockTexts(text, "user_message"), ...blockTexts(text, "feedback")] : [];
  return userWords.length > 0 ? userWords.join("\n\n") : text;
}

function textResult(name: string, output: string, open: PendingCall[]): ToolResultPart {
  const named = open.findIndex((call) => call.name === name);
  // The header names some tools differently than the call does; with a single call there is no doubt.
  const at = named < 0 && open.length === 1 ? 0 : named;
  const call = at < 0 ? undefined : open.splice(at, 1)[0];
  return defined({ type: "tool_result", id: call?.id, name: call?.name ?? name, output: output.trim() });
}

/** Moves the user's words out of a tool result, and reads whether the result reports success. */
function takeWords(result: ToolResultPart, words: string[]): void {
  const tags = ASKING.has(result.name ?? "") ? ["user_message", "feedback", "answer"] : [];
  if (/provided (?:the following )?feedback/.test(result.output)) tags.push("feedback");
  for (const tag of new Set(tags)) {
    const userWords = blockTexts(result.output, tag);
    if (userWords.length === 0) continue;
    words.push(...userWords);
    result.output = stripBlocks(result.output, [tag]).trim();
  }
  if (/^The (?:tool execution failed|user denied this operation)/.test(result.output)) result.is_error = true;
  const exit = result.name === "execute_command" ? /^.{0,200}?Exit code: (-?\d+)/s.exec(result.output) : null;
  if (exit) result.exit_code = Number(exit[1]);
}
