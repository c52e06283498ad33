/** A suggestion as text. Token budgets count this same text. */
import { plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteLine } from "../redact/quote.ts";
import type { SuggestionItem } from "./model.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The type as printed; a related file need not be code. */
const TYPE_IN_WORDS: Partial<Record<SuggestionItem["type"], string>> = { related_code: "related file" };

export function itemText(item: SuggestionItem): string {
  const { type, summary, reason, from, time, relevanceScore } = item;
  const [title, mark] = titleWithoutType(item.title);
  // A title that is only the beginning of the summary adds nothing to it.
  const isBeginning = summary.startsWith(title.replace(/…$/, "").trimEnd());
  const head = `[${TYPE_IN_WORDS[type] ?? type}${mark}] ${isBeginning ? summary : title} (${chanceInWords(relevanceScore)})`;
  const date = time === null ? "" : ` of ${dayOf(time)}`;
  const place = from === "" ? addressOf(item) : `${from}${date}: ${addressOf(item)}`;
  const about = summary === "" || isBeginning ? "" : `\n  ${summary}`;
  return `${head}${about}\n  ${reason} [${place}]`;
}

/** The text names the type before the title; "(proposed)" belongs to it. */
function titleWithoutType(title: string): [title: string, mark: string] {
  const [prefix, mark] = /^(?:Decision(?: \((proposed)\))?|Recent change|Doc|Conversation): /.exec(title) ?? [""];
  return [title.slice(prefix.length), mark === undefined ? "" : `, ${mark}`];
}

/** Never "0% likely" or "100% likely": neither is known. */
export function chanceInWords(score: number): string {
  return `${Math.min(99, Math.max(1, Math.round(score * 100)))}% likely`;
}

/** A full commit hash is longer than a reader needs. */
function addressOf({ actionUrl }: SuggestionItem): string {
  return /^[0-9a-f]{40,}$/.test(actionUrl) ? actionUrl.slice(0, 12) : actionUrl;
}

const MAX_ITEM_CHARS = 2_000;

/**
 * An item's texts as they may be shown, sent and stored: each field is one line without secrets, private blocks or
 * invisible characters. Its entityId is unchanged: feedback and cooldowns find the item by it.
 */
export function plainItem(item: SuggestionItem): SuggestionItem {
  const { title, summary, reason, from, actionUrl } = item;
  return {
    ...item,
    title: quoteLine(title, MAX_ITEM_CHARS),
    summary: quoteLine(summary, MAX_ITEM_CHARS),
    reason: quoteLine(reason, MAX_ITEM_CHARS),
    from: quoteLine(from, MAX_ITEM_CHARS),
    actionUrl: quoteLine(actionUrl, MAX_ITEM_CHARS),
  };
}

/** The time passed, in words: `3 days ago`. */
export function ageInWords(time: number, now: number): string {
  const passed = Math.max(0, now - time);
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${plural(Math.floor(passed / MINUTE), "minute")} ago`;
  if (passed < DAY) return `${plural(Math.floor(passed / HOUR), "hour")} ago`;
  if (passed < 60 * DAY) return `${plural(Math.floor(passed / DAY), "day")} ago`;
  if (passed < 730 * DAY) return `${plural(Math.floor(passed / (30 * DAY)), "month")} ago`;
  return `${plural(Math.floor(passed / (365 * DAY)), "year")} ago`;
}
