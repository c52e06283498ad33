/**
 * Where a message states errors, and where it only mentions their words: in commands and edits, in files that it read,
 * in lines of code. A conversation that had an error is of more use than one that searched for its text.
 */
import { toolKind } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";

/** A comment, a string or a statement, behind the place that `grep -n` and readers print. */
const CODE_START =
  /^(?:\d+\s*[:\t|→-]\s*|[+-]\s|[\w./-]+:\d+:)?\s*(?:\/\/|\/\*|\* |# |--? \*\*|["'`]|(?:export|func|function|const|let|var|return|if|else|case|import|from|class|def|assert|expect|throw|raise)\b|cmd: |command: )/;
const CODE_END = /[{;,(]\s*$/;

export function isCodeLine(line: string): boolean {
  return CODE_START.test(line) || CODE_END.test(line);
}

export interface StatedTexts {
  /** The words of people and of programs. */
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
