/**
 * Renders facts that hooks give a model unasked: the fact, its date, and where to open it. Facts come from conversations
 * and files, so they are quoted: a model must not take them for the host's own markup or for instructions.
 */
import { dayOf } from "../../kernel/time.ts";
import { quoteForModel } from "../../redact/quote.ts";
import type { Fact, FactGroup } from "../../suggest/briefing.ts";
import type { SuggestionItem } from "../../suggest/model.ts";
import { atMostTokens } from "../../tokens/upper_bound.ts";

const MAX_LINE_CHARS = 320;

export interface PushedText {
  text: string;
  /** The facts that the text contains. */
  facts: Fact[];
}

/** Adds facts in order as long as the budget allows; the text is empty when none fits. */
export function pushedText(head: string, groups: readonly FactGroup[], maxTokens: number): PushedText {
  const lines = [head];
  const facts: Fact[] = [];
  let left = maxTokens - atMostTokens(`${head}\n`);
  for (const { title, facts: of } of groups) {
    let opened = false;
    for (const fact of of) {
      const added = opened ? [factLine(fact)] : [`${title}:`, factLine(fact)];
      const cost = atMostTokens(`${added.join("\n")}\n`);
      if (cost > left) continue;
      left -= cost;
      opened = true;
      lines.push(...added);
      facts.push(fact);
    }
  }
  return { text: facts.length === 0 ? "" : lines.join("\n"), facts };
}

function factLine({ text, source, time }: Fact): string {
  const about = [
    source === null ? undefined : quoteForModel(source, MAX_LINE_CHARS),
    time === null ? undefined : dayOf(time),
  ].filter(Boolean);
  return `- ${quoteForModel(text, MAX_LINE_CHARS)}${about.length > 0 ? ` [${about.join(", ")}]` : ""}`;
}

/** Phrases that state an age, which change although the fact stays the same. */
const AGES = /\b\d+ (?:minute|hour|day|month|year)s? ago\b|\bjust now\b/g;

/** Redundant: the title of the group says it. */
const TITLE_PREFIX = /^(?:Recent change|Decision|Doc|Conversation|Defined): /;
/** A proposed decision is not yet one, so this stays. */
const PROPOSED = /^Decision \((proposed)\): /;
/** Types whose summary is more informative than the reason for the suggestion. */
const SHOWN_BY_SUMMARY = new Set<SuggestionItem["type"]>(["decision", "doc", "warning", "conversation"]);

export function itemFact(item: SuggestionItem): Fact {
  const { type, title, summary, reason, from, entityId, actionUrl, time } = item;
  const named = title.replace(TITLE_PREFIX, "").replace(PROPOSED, "");
  const mark = PROPOSED.test(title) ? "proposed: " : "";
  // The first reason is the strongest.
  const isDefinition = title.startsWith("Defined: ") && summary !== "";
  const detail = SHOWN_BY_SUMMARY.has(type) || isDefinition ? summary : (reason.split("; ")[0] ?? reason);
  // The text of a document or warning may change; decisions and commits are identified by their id.
  const changes = type === "doc" || (type === "warning" && !entityId.startsWith("test:"));
  return {
    entityId,
    text: `${mark}${detail.startsWith(named.replace(/…$/, "")) ? detail : `${named}: ${detail}`}`,
    // The group's title already says that it is a conversation.
    source: from === "" || type === "conversation" ? actionUrl : `${from}: ${actionUrl}`,
    time,
    content: changes ? `${title}\n${summary}`.replace(AGES, "").replace(/\d+/g, "#") : "",
  };
}
