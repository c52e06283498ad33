/** Message indices as people write them: `5`, `5-10`, `1,5,10-15`. */
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";

/** Limit per call: a list of millions is a typing error. */
const MAX_INDICES = 100_000;
const RANGE = /^(\d{1,15})(?:\s*-\s*(\d{1,15}))?$/;

/** The indices, ascending and unique. `count`: number of messages in the conversation. */
export function parseIndices(text: string, count: number): number[] {
  const ranges = text.split(",", MAX_INDICES + 1).map((piece) => parseRange(piece, text, count));
  ranges.sort((a, b) => a.first - b.first);
  const indices: number[] = [];
  let next = 0;
  for (const { first, last } of ranges) {
    for (let index = Math.max(first, next); index <= last; index += 1) {
      if (indices.length === MAX_INDICES) {
        throw new DexError(
          "bad_range",
          `"${brief(text)}" asks for more than ${plural(MAX_INDICES, "message")} at once.`,
          {
            hint: "Ask for fewer, or scan the conversation first.",
          },
        );
      }
      indices.push(index);
    }
    next = Math.max(next, last + 1);
  }
  return indices;
}

function parseRange(piece: string, text: string, count: number): { first: number; last: number } {
  const match = RANGE.exec(piece.trim());
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (!match || last < first) {
    const what = match ? "runs backwards" : `is not a message index or range`;
    const named = piece.trim() === text.trim() ? `"${brief(text)}"` : `"${brief(piece.trim())}" in "${brief(text)}"`;
    throw new DexError("bad_range", `${named} ${what}.`, { hint: rangeHint(count) });
  }
  checkIndex(last, count);
  return { first, last };
}

/** Throws unless the message exists. */
export function checkIndex(index: number, count: number): void {
  if (Number.isInteger(index) && index >= 0 && index < count) return;
  const size = count === 0 ? "no messages" : plural(count, "message");
  throw new DexError("bad_range", `There is no message ${index}: the conversation has ${size}.`, {
    hint: rangeHint(count),
  });
}

function rangeHint(count: number): string {
  if (count === 0) return "The conversation is empty.";
  if (count === 1) return "The only message is 0.";
  return `Messages are 0 to ${count - 1}: write 0, 0-${count - 1} or 0,${count - 1}.`;
}

function brief(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
