/** `dex suggest stats`: how many suggestions were used, how fast they came, and how well scores are calibrated. */
import * as z from "zod";
import { projectKey } from "../../history/repository.ts";
import { repositoryOf } from "../../project/repository.ts";
import type { FeedbackRow, SuggestionRow } from "../../store/state/suggestions.ts";
import { recordUses, type StoredItem, storedItems } from "../../suggest/feedback/implicit_feedback.ts";
import { defineOperation } from "../operation.ts";
import { projectFolderField } from "../shared/fields.ts";

const MAX_SUGGESTIONS = 20_000;
const BINS = 10;

const typeRow = z.object({
  type: z.string(),
  count: z.number(),
  /** The share of the items with a known outcome that were used. */
  used_rate: z.number().nullable(),
  known: z.number(),
});

const binRow = z.object({
  from: z.number(),
  to: z.number(),
  /** The mean score of the items in this bin, and the share of them that was used. */
  mean_score: z.number(),
  used_share: z.number(),
  count: z.number(),
});

export const suggestStats = defineOperation({
  name: "context_suggest_stats",
  verb: "suggest stats",
  summary: "Show statistics of suggestions: count, use, latency, calibration of the scores",
  positionals: [],
  input: z.strictObject({
    project: projectFolderField,
    all: z.boolean().default(false).describe("All projects, not only the current one"),
  }),
  output: z.object({
    /** Null for all projects. */
    projectId: z.string().nullable(),
    proactive_suggestion_count: z.number(),
    /** Shares of all suggestions; null when there are none. */
    proactive_used_rate: z.number().nullable(),
    proactive_dismissed_rate: z.number().nullable(),
    proactive_latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    suggestion_type_distribution: z.array(typeRow),
    /** Only items with a known outcome: judged, or observed long enough. */
    relevance_score_vs_usage: z.array(binRow),
    feedback: z.object({ explicit: z.number(), implicit: z.number() }),
    surfaces: z.record(z.string(), z.number()),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const project = input.all ? undefined : projectKey(repositoryOf(dex, input.project).repository);
    recordUses(dex);
    const { rows, feedback } = dex.hasState
      ? dex.withState(({ suggestions }) => ({
          rows: suggestions.recent(project, MAX_SUGGESTIONS),
          feedback: suggestions.allFeedback(project),
        }))
      : { rows: [], feedback: [] };
    const share = (status: string): number | null =>
      rows.length === 0 ? null : rounded(rows.filter((row) => row.status === status).length / rows.length);
    const latencies = rows.map(({ latency_ms }) => latency_ms).sort((a, b) => a - b);
    return {
      projectId: project ?? null,
      proactive_suggestion_count: rows.length,
      proactive_used_rate: share("used"),
      proactive_dismissed_rate: share("dismissed"),
      proactive_latency_ms: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
      suggestion_type_distribution: byType(rows, feedback),
      relevance_score_vs_usage: calibrationCurve(feedback),
      feedback: {
        explicit: feedback.filter(({ how }) => how === "explicit").length,
        implicit: feedback.filter(({ how, action }) => how === "implicit" && action === "used").length,
      },
      surfaces: counted(rows.map(({ surface }) => surface)),
    };
  },
  isEmpty: (output) => output.proactive_suggestion_count === 0,
});

function byType(rows: readonly SuggestionRow[], feedback: readonly FeedbackRow[]): z.output<typeof typeRow>[] {
  const counts = counted(rows.flatMap((row): StoredItem[] => storedItems(row)).map(({ type }) => type));
  return Object.entries(counts)
    .map(([type, count]) => {
      const known = feedback.filter((each) => each.type === type);
      const used = known.filter(({ action }) => action === "used").length;
      return { type, count, known: known.length, used_rate: known.length === 0 ? null : rounded(used / known.length) };
    })
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}

/** The calibration curve: with calibrated scores, the used share equals the mean score in every bin. */
function calibrationCurve(feedback: readonly FeedbackRow[]): z.output<typeof binRow>[] {
  const items = feedback.filter(({ item_index }) => item_index >= 0);
  return Array.from({ length: BINS }, (_, bin) => {
    const here = items.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === bin);
    const used = here.filter(({ action }) => action === "used").length;
    const sum = here.reduce((total, { score }) => total + score, 0);
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      mean_score: here.length === 0 ? 0 : rounded(sum / here.length),
      used_share: here.length === 0 ? 0 : rounded(used / here.length),
      count: here.length,
    };
  }).filter(({ count }) => count > 0);
}

function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function quantile(sorted: readonly number[], part: number): number | null {
  return sorted.length === 0
    ? null
    : rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
