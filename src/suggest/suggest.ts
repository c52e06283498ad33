/** Suggestions for an activity: the one way to get them, whoever asks: a tool call, a hook, a subscription, a watcher. */

import type { Dex } from "../dex.ts";
import { newId } from "../kernel/ids.ts";
import type { RunContext } from "../run_context.ts";
import { choose } from "./combine.ts";
import { type Activity, ITEM_TYPES, type ItemType, type Suggestion, type Trigger } from "./model.ts";
import { withGround } from "./project_view.ts";
import { PROVIDERS } from "./providers/registry.ts";
import { shiftsFrom } from "./weights.ts";

export interface SuggestOptions {
  minRelevanceScore?: number;
  maxSuggestions?: number;
  maxTokens?: number;
  types?: readonly ItemType[];
  /** entityIds that the reader has been told already. */
  without?: ReadonlySet<string>;
  /** Kept for feedback and statistics, as `shown` or `pending`. */
  record?: "shown" | "pending" | false;
  /** Answer from what is indexed: no sync, no git log, no reindexing before the answer. Hooks need it. */
  stale?: boolean;
  /** Who asks, for the statistics: `call`, `hook`, `subscription`, … */
  surface?: string;
}

export interface Suggested extends Suggestion {
  tokens: number;
  latencyMs: number;
  /** What fell under the gate, and the best of it. */
  below: { count: number; best: number | null };
}

const MOST_DROPPED = 20;

export async function suggestFor(
  dex: Dex,
  activity: Activity,
  trigger: Trigger,
  options: SuggestOptions = {},
  context: RunContext = {},
): Promise<Suggested> {
  const begin = performance.now();
  const settings = dex.settings.agent.proactive;
  const gate = options.minRelevanceScore ?? settings.minRelevanceScore;
  const most = options.maxSuggestions ?? settings.maxSuggestions;
  const stages: { name: string; ms: number; out?: number }[] = [];
  return withGround(
    dex,
    activity,
    { stale: options.stale === true, days: settings.recentChangeDays },
    context,
    (ground, projectId, state) => {
      stages.push({ name: "open", ms: performance.now() - begin });
      const candidates = PROVIDERS.filter(({ setting }) => settings.enabled && settings[setting]).flatMap(
        ({ name, provide }) => {
          const start = performance.now();
          const found = provide(ground);
          stages.push({ name, ms: performance.now() - start, out: found.length });
          return found;
        },
      );
      const chosen = choose(candidates, {
        gate,
        most,
        maxTokens: options.maxTokens,
        types: new Set(options.types ?? ITEM_TYPES),
        without: options.without ?? new Set(),
        shift: shiftsFrom(state?.suggestions.counts() ?? [], projectId),
      });
      const { items, tokens, below } = chosen;
      const latencyMs = Math.round((performance.now() - begin) * 10) / 10;
      const suggestion: Suggested = {
        id: newId("sug"),
        sessionId: activity.session ?? null,
        projectId,
        createdAt: dex.now(),
        trigger,
        suggestions: items,
        status: options.record === "shown" ? "shown" : "pending",
        tokens,
        latencyMs,
        below: { count: below.count, best: below.best },
      };
      if (options.record !== false && items.length > 0) keep(dex, suggestion, chosen.base, options.surface ?? "call");
      context.trace?.({
        ...(activity.prompt === undefined ? {} : { query: activity.prompt }),
        inputs: { candidates: chosen.candidates, focus_files: ground.focus.files.length, below_gate: below.count },
        budgets: { gate, limit: most, ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }) },
        truncation: { results: chosen.cut },
        ranking: items.map(({ entityId, type, relevanceScore, title }) => ({
          id: entityId,
          source: type,
          score: relevanceScore,
          summary: title,
        })),
        dropped: below.items.slice(0, MOST_DROPPED).map(({ entityId, score }) => ({
          id: entityId,
          reason: `scored ${score}, ${Math.round((gate - score) * 1000) / 1000} below the limit`,
        })),
        stages,
        ...(activity.session === undefined ? {} : { session: activity.session }),
      });
      return suggestion;
    },
  );
}

function keep(dex: Dex, suggestion: Suggested, base: readonly number[], surface: string): void {
  const { id, sessionId, projectId, createdAt, trigger, suggestions, status, latencyMs } = suggestion;
  dex.withState((state) =>
    state.suggestions.add(
      {
        id,
        session_id: sessionId ?? "",
        project_id: projectId,
        created_at: new Date(createdAt).toISOString(),
        trigger_json: JSON.stringify(trigger),
        suggestions_json: JSON.stringify(suggestions.map((item, i) => ({ ...item, base: base[i] }))),
        status,
        latency_ms: latencyMs,
        surface,
      },
      createdAt,
    ),
  );
}
