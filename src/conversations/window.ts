/** The messages around one message, for `expand` and `timeline`. */
import { checkIndex } from "./ranges.ts";

export interface MessageWindow {
  /** First message shown. */
  start: number;
  /** After the last message shown. */
  end: number;
  has_more_before: boolean;
  has_more_after: boolean;
}

/** `before` messages, the one at `center`, and `after` messages; fewer at the ends of the conversation. */
export function windowAround(count: number, center: number, before: number, after: number): MessageWindow {
  checkIndex(center, count);
  const start = Math.max(0, center - wholeNumber(before));
  const end = Math.min(count, center + wholeNumber(after) + 1);
  return { start, end, has_more_before: start > 0, has_more_after: end < count };
}

function wholeNumber(value: number): number {
  return value > 0 ? Math.floor(value) : 0;
}
