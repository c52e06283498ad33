/**
 * Collects the texts that a conversation replaced, so that the opposite replacement in a later conversation shows that
 * an edit was taken back. Short texts are left out: switching a flag back says nothing about the edit.
 */
import type { Message } from "../../conversations/model.ts";
import { typedText } from "../../conversations/texts/typed_text.ts";
import { contentId } from "../../kernel/ids.ts";
import type { Replaced } from "../../store/history_records.ts";
import { clip } from "../../text/clip.ts";
import { stepsOf } from "../restore/steps.ts";

const MAX_REPLACED = 500;
const MAX_REQUEST_CHARS = 120;
/** The changed part must have this many characters. */
const MIN_CHANGED_CHARS = 24;
const MAX_TEXT_CHARS = 20_000;

/** With the index of the message. */
export type FoundReplaced = Omit<Replaced, "owner" | "place"> & { index: number };

export class ReplacedCollector {
  readonly #inside: (path: string) => string | undefined;
  readonly #found: FoundReplaced[] = [];
  #request = "";

  /** `inside`: the path relative to the project's root; undefined if it is outside. */
  constructor(inside: (path: string) => string | undefined) {
    this.#inside = inside;
  }

  take(index: number, message: Message, time: number): void {
    if (message.role === "user") this.#request = clip(typedText(message), MAX_REQUEST_CHARS) || this.#request;
    for (const part of message.parts) {
      if (part.type !== "tool_call") continue;
      for (const step of stepsOf(part)) {
        const path = this.#inside(step.path);
        if (path === undefined) continue;
        if (step.kind === "replace")
          for (const { before, after } of step.replacements) this.#add(path, before, after, index, time);
        if (step.kind === "patch")
          for (const { before, after } of step.hunks) this.#add(path, before.join("\n"), after.join("\n"), index, time);
      }
    }
  }

  #add(path: string, before: string, after: string, index: number, time: number): void {
    if (this.#found.length >= MAX_REPLACED || before.length + after.length > MAX_TEXT_CHARS) return;
    const [from, to] = changedParts(before, after);
    if (Math.max(from.length, to.length) < MIN_CHANGED_CHARS) return;
    this.#found.push({ path, before: contentId(from), after: contentId(to), request: this.#request, time, index });
  }

  replaced(): FoundReplaced[] {
    return this.#found;
  }
}

/** The lines that differ, without the equal ones around them: two edits rarely quote the same context. */
function changedParts(before: string, after: string): [string, string] {
  const [from, to] = [lines(before), lines(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return [from.slice(start, from.length - end).join("\n"), to.slice(start, to.length - end).join("\n")];
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
