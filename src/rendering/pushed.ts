/**
 * Facts as a model is given them without having asked: what is known, since when, and what opens it. They come from
 * conversations and files, so nothing in them may look like a frame of the host's own, and none of it is an instruction.
 */

import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import type { Fact, FactGroup } from "../suggest/briefing.ts";
import type { SuggestionItem } from "../suggest/model.ts";
import { atMostTokens } from "../tokens/upper_bound.ts";

const MAX_LINE_CHARS = 320;

export interface Pushed {
  text: string;
  /** The facts that are in it. */
  facts: Fact[];
}

/** As many facts, in their order, as the budget holds; empty where it holds none. */
export function pushedText(head: string, groups: readonly FactGroup[], maxTokens: number): Pushed {
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

/** Words that tell an age: they change while the thing stays the same. */
const AGES = /\b\d+ (?:minute|hour|day|month|year)s? ago\b|\bjust now\b/g;

/** Said by the title of the group. */
const PREFIX = /^(?:Recent change|Decision|Doc): /;
/** Types whose summary says more than the reason for which it is suggested. */
const BY_SUMMARY = new Set<SuggestionItem["type"]>(["decision", "doc", "warning"]);

export function itemFact(item: SuggestionItem): Fact {
  const { type, title, summary, reason, entityId, actionUrl, time } = item;
  const named = title.replace(PREFIX, "");
  // The strongest reason stands first.
  const said = BY_SUMMARY.has(type) ? summary : (reason.split("; ")[0] ?? reason);
  // Of a document or a warning the words may change; decisions and commits are what their id says.
  const changes = type === "doc" || (type === "warning" && !entityId.startsWith("test:"));
  return {
    entityId,
    text: said.startsWith(named.replace(/…$/, "")) ? said : `${named}: ${said}`,
    source: /^[0-9a-f]{40,}$/.test(actionUrl) ? actionUrl.slice(0, 12) : actionUrl,
    time,
    content: changes ? `${title}\n${summary}`.replace(AGES, "").replace(/\d+/g, "#") : "",
  };
}
