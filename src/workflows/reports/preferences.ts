/** Collects a person's own sentences about one topic, the clearest first, with the message they answered. */
import { headLine } from "../../conversations/render.ts";
import { typedText } from "../../conversations/texts/typed_text.ts";
import { plural } from "../../kernel/text.ts";
import { parseQuery } from "../../search/query/query.ts";
import { clip } from "../../text/clip.ts";
import type { Merged } from "../batches/merge.ts";
import type { BatchPassage, Finding, LoadMessages, Workflow } from "../workflow.ts";
import { preferenceStrength } from "./cues.ts";
import { bullets, inline, references } from "./markdown.ts";
import { conversations, mergeFindings } from "./rules.ts";
import { sentencesOf } from "./sentences.ts";

const MAX_SHOWN = 50;
/** Share of the topic's terms that a sentence must contain, by preference strength: the weaker, the more. */
const MIN_TOPIC_SHARE: Readonly<Record<number, number>> = { 0: 0.75, 0.5: 0.5 };

export function preferences(topic: string, terms: readonly string[]): Workflow {
  return {
    name: "preferences",
    title: `Preferences: ${inline(topic, 100)}`,
    task: [
      `Find what this person prefers about: ${clip(topic, 300)}.`,
      "Take only what the person (user) said or clearly accepted, not what an agent suggested. Write each preference as one",
      "sentence, with its reason if one was given.",
    ].join("\n"),
    kinds: {
      prefers: "wants it",
      avoids: "does not want it",
      requires: "insists on it",
      mentions: "says something about it without a clear preference",
    },
    extract: (passage, load) => ({ findings: findingsOf(passage, load, new Set(terms)) }),
    report: (results) => reportOf(mergeFindings(results)),
  };
}

function findingsOf(
  { address, row, first, last }: BatchPassage,
  load: LoadMessages,
  terms: ReadonlySet<string>,
): Finding[] {
  const findings: Finding[] = [];
  let before: string | undefined;
  for (const { index, message } of load(row, first, last + 1)) {
    if (message.role === "assistant") before = clip(headLine(message, row.project ?? undefined), 100);
    if (message.role !== "user") continue;
    for (const sentence of sentencesOf(typedText(message))) {
      const own = parseQuery(sentence)?.terms ?? [];
      const share = own.filter((term) => terms.has(term)).length / terms.size;
      const strength = preferenceStrength(sentence);
      if (share === 0 || share < (MIN_TOPIC_SHARE[strength] ?? 0)) continue;
      const score = Math.round((Math.min(1, share) + strength) * 1000) / 1000;
      const kind = strength === 1 ? "requires" : strength > 0 ? "prefers" : "mentions";
      findings.push({
        text: sentence,
        kind,
        refs: [`${address}#${index}`],
        score,
        ...(before ? { context: before } : {}),
      });
    }
    before = undefined;
  }
  return findings;
}

function reportOf(merged: readonly Merged[]): string {
  if (merged.length === 0) return "Nothing was said about it.";
  const ranked = [...merged].sort((a, b) => scoreOf(b) - scoreOf(a));
  const lines = ranked.map((each) => {
    const { item, count, sources } = each;
    const times = count > 1 ? ` — ${count} times in ${plural(conversations(each), "conversation")}` : "";
    const context = typeof item.context === "string" ? `\n  answering: ${inline(item.context, 100)}` : "";
    return `${inline(String(item.text))}${times} (${item.kind}; ${references(sources)})${context}`;
  });
  return bullets(lines, MAX_SHOWN, "sentences").join("\n");
}

/**
 * Findings of a model have no score: the number of conversations decides. A sentence that is often repeated in one of them
 * is mostly a log that was pasted again.
 */
function scoreOf(each: Merged): number {
  const { score } = each.item;
  return (typeof score === "number" ? score : 0) + Math.min(conversations(each), 10) / 10;
}
