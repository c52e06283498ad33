/** A suggestion in words: what budgets count is what is shown. */

import { plural } from "../kernel/text.ts";
import { codePointEnd } from "../text/clip.ts";
import type { SuggestionItem } from "./model.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function itemText(item: SuggestionItem): string {
  const { type, title, summary, reason, actionUrl } = item;
  return `[${type.replace("_", " ")}] ${title}\n  ${summary}\n  ${reason} (${actionUrl})`;
}

/** Between two times, as people say it. */
export function ageInWords(time: number, now: number): string {
  const passed = Math.max(0, now - time);
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${plural(Math.floor(passed / MINUTE), "minute")} ago`;
  if (passed < DAY) return `${plural(Math.floor(passed / HOUR), "hour")} ago`;
  if (passed < 60 * DAY) return `${plural(Math.floor(passed / DAY), "day")} ago`;
  if (passed < 730 * DAY) return `${plural(Math.floor(passed / (30 * DAY)), "month")} ago`;
  return `${plural(Math.floor(passed / (365 * DAY)), "year")} ago`;
}

/** One line of at most so many characters. */
export function oneLine(text: string, most = 200): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= most ? flat : `${flat.slice(0, codePointEnd(flat, most - 1)).trimEnd()}…`;
}
