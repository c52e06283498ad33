/** `dex suggest log`: past suggestions, each with its items and their outcome. */
import * as z from "zod";
import { projectKey } from "../../history/repository.ts";
import { asArray, asNumber, asObject, asString, type JsonObject, parseJson } from "../../kernel/json.ts";
import { repositoryOf } from "../../project/repository.ts";
import { type FeedbackRow, type SuggestionRow, WHOLE } from "../../store/state/suggestions.ts";
import { recordUses } from "../../suggest/feedback/implicit_feedback.ts";
import { defineOperation } from "../operation.ts";
import { limitField, offsetField, projectFolderField } from "../shared/fields.ts";

const MAX_SUGGESTIONS = 20_000;
const OUTCOMES = ["used", "dismissed", "ignored"] as const;

const loggedItem = z.object({
  index: z.number(),
  type: z.string(),
  title: z.string(),
  summary: z.string(),
  reason: z.string(),
  /** The estimated chance that it is useful, as it was shown. */
  score: z.number(),
  entityId: z.string(),
  /** An address that a dex command or an editor opens. */
  actionUrl: z.string(),
  /** Null: not known yet. `ignored`: the session went on for long and never used it. */
  outcome: z.enum(OUTCOMES).nullable(),
  /** Whether somebody said so, or dex saw it in the session. */
  how: z.enum(["explicit", "implicit"]).nullable(),
});

const loggedSuggestion = z.object({
  id: z.string(),
  time: z.string(),
  /** The surface that showed it: a command, a tool, a hook or a subscription. */
  surface: z.string(),
  /** The event that caused it, and the file or symbol of the event. */
  trigger: z.object({ type: z.string(), source: z.string() }),
  /** The conversation it was made for; null when it is unknown. */
  sessionId: z.string().nullable(),
  projectId: z.string(),
  status: z.string(),
  latency_ms: z.number(),
  items: z.array(loggedItem),
});

export const suggestLog = defineOperation({
  name: "context_suggest_log",
  verb: "suggest log",
  summary: "List past suggestions with their items, scores and outcomes",
  positionals: [],
  input: z.strictObject({
    project: projectFolderField,
    all: z.boolean().default(false).describe("All projects, not only the current one"),
    limit: limitField(20),
    offset: offsetField,
  }),
  output: z.object({ suggestions: z.array(loggedSuggestion), total: z.number() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const project = input.all ? undefined : projectKey(repositoryOf(dex, input.project).repository);
    recordUses(dex);
    if (!dex.hasState) return { suggestions: [], total: 0 };
    return dex.withState(({ suggestions }) => {
      const rows = suggestions.recent(project, MAX_SUGGESTIONS);
      const shown = rows.slice(input.offset, input.offset + input.limit);
      return { suggestions: shown.map((row) => logged(row, suggestions.feedback(row.id))), total: rows.length };
    });
  },
  isEmpty: (output) => output.total === 0,
});

function logged(row: SuggestionRow, feedback: readonly FeedbackRow[]): z.output<typeof loggedSuggestion> {
  const trigger = asObject(parseJson(row.trigger_json));
  const whole = feedback.find(({ item_index }) => item_index === WHOLE);
  return {
    id: row.id,
    time: row.created_at,
    surface: row.surface,
    trigger: { type: textOf(trigger, "type"), source: textOf(trigger, "source") },
    sessionId: row.session_id === "" ? null : row.session_id,
    projectId: row.project_id,
    status: row.status,
    latency_ms: row.latency_ms,
    items: asArray(parseJson(row.suggestions_json)).map((value, index) => {
      const judged = feedback.find(({ item_index }) => item_index === index) ?? whole;
      return loggedItemOf(asObject(value), index, judged);
    }),
  };
}

function loggedItemOf(item: JsonObject, index: number, judged: FeedbackRow | undefined): z.output<typeof loggedItem> {
  return {
    index,
    type: textOf(item, "type"),
    title: textOf(item, "title"),
    summary: textOf(item, "summary"),
    reason: textOf(item, "reason"),
    score: asNumber(item.relevanceScore) ?? 0,
    entityId: textOf(item, "entityId"),
    actionUrl: textOf(item, "actionUrl"),
    outcome: judged?.action ?? null,
    how: judged?.how ?? null,
  };
}

function textOf(object: JsonObject, key: string): string {
  return asString(object[key]) ?? "";
}
