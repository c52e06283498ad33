/** Makes suggestions for an activity. Tool calls, hooks, subscriptions and the watcher all come here. */
import type { Dex } from "../dex.ts";
import { isWriteRefused } from "../kernel/files/atomic_write.ts";
import { newId } from "../kernel/ids.ts";
import type { RunContext } from "../run_context.ts";
import type { StateStore } from "../store/state/state.ts";
import type { TraceDetails } from "../traces/trace.ts";
import { type ChosenItems, choose } from "./combine.ts";
import type { ProjectView } from "./evidence.ts";
import { shiftsFrom } from "./feedback/score_shift.ts";
import { type Activity, ITEM_TYPES, type ItemType, type Suggestion, type Trigger } from "./model.ts";
import { hasContent, nonFunctionWords } from "./prompt_content.ts";
import { SUGGESTION_PROVIDERS } from "./providers/registry.ts";
import { shifted } from "./scale.ts";
import { type ConversationChoice, withProjectView } from "./view/project_view.ts";

export interface SuggestOptions {
  /** The gate; by default that of pushed items in the settings, and low or none for a caller that asks. */
  minRelevanceScore?: number;
  maxSuggestions?: number;
  maxTokens?: number;
  types?: readonly ItemType[];
  /** entityIds that the reader has already seen. */
  without?: ReadonlySet<string>;
  /** Stored for feedback and statistics, as `shown` or `pending`. */
  record?: "shown" | "pending" | false;
  /** Answer from the stored indexes, without a sync, git log or reindex. Hooks need it. */
  stale?: boolean;
  /**
   * Milliseconds until the caller stops waiting, for a process that was started for this answer. Steps that would take
   * longer at this machine's pace are left out: part of an answer is better than none.
   */
  left?: () => number;
  /** Called for each step that is left out. */
  skipped?: () => void;
  /** Which conversations are suggested: by default those of this home and of its team. */
  choice?: ConversationChoice;
  /** The user asked for suggestions, so a prompt with little content is used as well. */
  asked?: boolean;
  /** The caller, for the statistics: `call`, `hook`, `subscription`, … */
  surface?: string;
}

export interface Suggested extends Suggestion {
  tokens: number;
  latencyMs: number;
  /** Items below the gate: how many, and the best score. */
  below: { count: number; best: number | null; gate: number };
  /** Items above the gate that the limit or the budget left out. */
  more: number;
}

const MAX_DROPPED = 20;
/**
 * The gate for a caller that names nothing in a tree without changes. Work around the last commits is mostly over, so
 * less likely items would only be noise at the start of a session.
 */
const MIN_AFTER_COMMITS = 0.2;
const MEAN_CHARS_PER_TOKEN = 4;
/** "fix the retry in push" has a subject, although each of its words alone may be about the next step. */
const MIN_NON_FUNCTION_WORDS = 2;

export async function suggestFor(
  dex: Dex,
  given: Activity,
  trigger: Trigger,
  options: SuggestOptions,
  context: RunContext = {},
): Promise<Suggested> {
  const activity = withoutEmptyPrompt(given, options.asked === true);
  if (given.prompt !== undefined && !hasContent(given.prompt)) {
    const so = activity.prompt === undefined ? "does not say what it is about" : "says little, so these are guesses";
    context.notice?.(`The prompt ${so}; name a file, a symbol or a subject.`);
  }
  const begin = performance.now();
  const settings = dex.settings.agent.proactive;
  const maxItems = options.maxSuggestions ?? settings.maxSuggestions;
  const found = await withProjectView(
    dex,
    activity,
    {
      stale: options.stale === true,
      days: settings.recentChangeDays,
      left: options.left,
      skipped: options.skipped,
      choice: options.choice,
    },
    context,
    ({ view, projectId, state, context: heard }) => {
      const usual = options.asked === true ? askedGate(view, heard) : settings.minRelevanceScore;
      const gate = options.minRelevanceScore ?? usual;
      const shift = shiftsFrom(state?.suggestions.counts() ?? [], projectId);
      // Only a caller that asks learns how many items are below the gate, and which is the best.
      const limited: typeof view =
        options.stale === true ? { ...view, least: (type) => shifted(gate, -shift(type)) } : view;
      const stages: Stage[] = [{ name: "open", ms: performance.now() - begin }];
      const candidates = SUGGESTION_PROVIDERS.filter(({ setting }) => settings.enabled && settings[setting]).flatMap(
        ({ name, provide }) => {
          // The facts found so far are a better answer than none.
          if (options.left && options.left() <= 0) return [];
          const start = performance.now();
          const provided = provide(limited);
          stages.push({ name, ms: performance.now() - start, out: provided.length });
          return provided;
        },
      );
      const chosen = choose(candidates, {
        gate,
        maxItems,
        maxTokens: options.maxTokens,
        tokensOf: options.stale === true ? quickTokens : undefined,
        types: new Set(options.types ?? ITEM_TYPES),
        without: options.without ?? new Set(),
        kindShifts: view.shifts,
        shift,
      });
      const { items, tokens, below } = chosen;
      if (!view.graph && items.some(({ type }) => type === "related_code"))
        heard.notice?.("The code of this project is not indexed yet; `dex code index` finds more related files.");
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
        below: { count: below.count, best: below.best, gate },
        more: chosen.cut,
      };
      heard.trace?.({
        ...detailsOf(activity, chosen, gate),
        inputs: { candidates: chosen.candidates, focus_files: view.focus.files.length, below_gate: below.count },
        budgets: {
          gate,
          limit: maxItems,
          ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
        },
        stages,
      });
      return { suggestion, base: chosen.base };
    },
    ({ suggestion, base }, state) => {
      if (options.record === false || suggestion.suggestions.length === 0) return;
      const add = (to: StateStore): void => store(to, suggestion, base, options.surface ?? "call");
      // An open database is read and written through one connection: opening it again takes a hook a millisecond.
      try {
        if (state) add(state);
        else dex.withState(add);
      } catch (error) {
        // Somebody who asked gets the answer; what is pushed must be known first, or it would be pushed again.
        if (options.asked !== true || !isWriteRefused(error)) throw error;
        context.notice?.(`This suggestion is not stored and takes no feedback: ${error.message}`);
      }
    },
  );
  return found.suggestion;
}

/**
 * The gate for a caller that asks. If it names no file, symbol or task, in a tree without changes, a notice says that
 * more input would help.
 */
function askedGate({ activity, focus, changed, repository }: ProjectView, context: RunContext): number {
  const { prompt, file, symbol, recent } = activity;
  const isNamed = [prompt, file, symbol].some((each) => each !== undefined) || recent.length > 0;
  if (isNamed || focus.files.some(({ how }) => how !== "committed")) return 0;
  const here = repository.git && changed ? "There are no uncommitted changes here" : "Nothing says what this is about";
  context.notice?.(`${here}: name a file or the task.`);
  return focus.files.length > 0 ? MIN_AFTER_COMMITS : 0;
}

interface Stage {
  name: string;
  ms: number;
  out?: number;
}

/** The part of the trace about the chosen items, and about those below the gate. */
function detailsOf({ prompt, session }: Activity, { items, below, cut }: ChosenItems, gate: number): TraceDetails {
  return {
    ...(prompt === undefined ? {} : { query: prompt }),
    ...(session === undefined ? {} : { session }),
    truncation: { results: cut },
    ranking: items.map(({ entityId, type, relevanceScore, title }) => ({
      id: entityId,
      source: type,
      score: relevanceScore,
      summary: title,
    })),
    dropped: below.items.slice(0, MAX_DROPPED).map(({ entityId, score }) => ({
      id: entityId,
      reason: `scored ${score}, ${Math.round((gate - score) * 1000) / 1000} below the limit`,
    })),
  };
}

/** The exact estimate takes longer to set up than a hook has; the hook itself cuts its text by an upper bound. */
function quickTokens(text: string): number {
  return Math.ceil(text.length / MEAN_CHARS_PER_TOKEN);
}

/** Drops a prompt such as "go on", so that the suggestion is about the rest of the activity. */
function withoutEmptyPrompt(activity: Activity, asked: boolean): Activity {
  const { prompt, ...rest } = activity;
  const isUsed =
    prompt === undefined || hasContent(prompt) || (asked && nonFunctionWords(prompt).length >= MIN_NON_FUNCTION_WORDS);
  return isUsed ? activity : rest;
}

function store(state: StateStore, suggestion: Suggested, base: readonly number[], surface: string): void {
  const { id, sessionId, projectId, createdAt, trigger, suggestions, status, latencyMs } = suggestion;
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
  );
}
