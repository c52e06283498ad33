/** Collects the standing instructions and corrections a person gave, over all conversations, as input for an AGENTS.md. */
import { headLine } from "../../conversations/render.ts";
import { typedText } from "../../conversations/texts/typed_text.ts";
import { plural } from "../../kernel/text.ts";
import { clip } from "../../text/clip.ts";
import { type Merged, mergeItems, normalText } from "../batches/merge.ts";
import type { BatchPassage, BatchResult, Finding, LoadMessages, Workflow } from "../workflow.ts";
import { ruleKind, withoutFiller } from "./cues.ts";
import { bullets, conversationOf, inline, references } from "./markdown.ts";
import { sentencesOf } from "./sentences.ts";

/** How many first sentences of a reply may correct what the agent just did. */
const MAX_CORRECTION_SENTENCES = 2;
const MAX_SHOWN = 100;

export function extractRules(): Workflow {
  return {
    name: "extract-rules",
    title: "Rules you gave your agents",
    task: [
      "Find the rules by which this person wants their agents to work: standing instructions (always, never, from now on,",
      "we use X here), corrections of what an agent did that would hold the next time too, and conventions of the project",
      "that the person stated. Write each as one imperative sentence that an agent could follow without the conversation.",
      "Leave out instructions that were only meant for the current task, and anything that only an agent said.",
    ].join("\n"),
    kinds: {
      standing: "a standing instruction or convention",
      correction: "a correction of what the agent did",
      instruction: "an instruction that may hold only here",
    },
    extract: (passage, load) => ({ findings: findingsOf(passage, load) }),
    report: (results) => reportOf(mergeFindings(results)),
  };
}

function findingsOf(passage: BatchPassage, load: LoadMessages): Finding[] {
  const { address, row, first, last, chars } = passage;
  if (last < first || (chars && chars.from > 0)) return [];
  const findings: Finding[] = [];
  let did: string | undefined;
  // Load the message before the passage, too: a correction is recognized by the message it answers.
  for (const { index, message } of load(row, Math.max(0, first - 1), last + 1)) {
    if (message.role === "assistant") did = headLine(message, row.project ?? undefined);
    if (message.role !== "user" || index < first) continue;
    for (const [i, sentence] of sentencesOf(typedText(message)).entries()) {
      const kind = ruleKind(sentence, did !== undefined && i < MAX_CORRECTION_SENTENCES);
      if (!kind) continue;
      const context = kind === "correction" && did ? { context: clip(did, 100) } : {};
      findings.push({ text: sentence, kind, refs: [`${address}#${index}`], ...context });
    }
    did = undefined;
  }
  return findings;
}

/** Merges findings that differ only in fillers, case and punctuation. */
export function mergeFindings(results: readonly BatchResult[]): Merged[] {
  const found = results.flatMap(({ findings }, batch) =>
    findings.map(({ text, kind, refs, context, score }) => ({
      item: {
        key: normalText(withoutFiller(text)) || text,
        text,
        kind,
        refs,
        count: refs.length,
        ...(context === undefined ? {} : { context }),
        ...(score === undefined ? {} : { score }),
      },
      from: String(batch),
    })),
  );
  return mergeItems(found, ["key"]);
}

export function conversations(merged: Merged): number {
  return new Set(merged.sources.map(conversationOf)).size;
}

const SECTIONS: readonly [kind: string, title: string][] = [
  ["standing", "Standing instructions"],
  ["correction", "Corrections"],
  ["instruction", "Other instructions"],
];

function reportOf(merged: readonly Merged[]): string {
  if (merged.length === 0) return "No rule was found.";
  const lines: string[] = [];
  for (const [kind, title] of SECTIONS) {
    const inside = merged
      .filter(({ item }) => item.kind === kind)
      .sort((a, b) => conversations(b) - conversations(a) || b.count - a.count);
    if (inside.length === 0) continue;
    lines.push(`## ${title}`, "", ...bullets(inside.map(ruleLine), MAX_SHOWN, "said less often"), "");
  }
  return lines.join("\n");
}

function ruleLine(merged: Merged): string {
  const { item, count, sources } = merged;
  const times = count > 1 ? ` — ${count} times in ${plural(conversations(merged), "conversation")}` : "";
  const after = typeof item.context === "string" ? `; after: ${inline(item.context, 100)}` : "";
  return `${inline(String(item.text))}${times} (${references(sources)}${after})`;
}
