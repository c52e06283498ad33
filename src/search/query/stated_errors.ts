/**
 * Separates the parts of a message that state errors from those that only mention error words: commands and edits,
 * files that it read, lines of code. A conversation that had an error is more useful than one that searched for its
 * text.
 */
import { toolKind } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";

/** The start of a comment, a string or a statement, after the place that `grep -n` and readers print. */
const CODE_START =
  /^(?:\d+\s*[:\t|→-]\s*|[+-]\s|[\w./-]+:\d+:)?\s*(?:\/\/|\/\*|\* |# |--? \*\*|["'`]|(?:export|func|function|const|let|var|return|if|else|case|import|from|class|def|assert|expect|throw|raise)\b|cmd: |command: )/;
const CODE_END = /[{;,(]\s*$/;

export function isCodeLine(line: string): boolean {
  return CODE_START.test(line) || CODE_END.test(line);
}

export interface StatedTexts {
  /** Text by people and by programs. */
  said: string;
  /** Commands, edits, and the files that a tool read or searched. */
  handled: string;
}

export function statedTexts(message: Message): StatedTexts {
  const said = message.parts.filter(
    (part) =>
      part.type !== "tool_call" &&
      (part.type !== "tool_result" ||
        part.is_error === true ||
        !["read", "search", "edit", "list"].includes(toolKind(part.name ?? ""))),
  );
  const handled = message.parts.filter((part) => !said.includes(part));
  const textOf = (parts: Message["parts"]): string => renderMessage({ ...message, parts }, "full") ?? "";
  return { said: textOf(said), handled: textOf(handled) };
}
