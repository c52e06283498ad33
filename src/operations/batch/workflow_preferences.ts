/** `dex workflow preferences`: your statements about a topic, from all conversations. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/text.ts";
import type { MessageHit } from "../../ranking/hits.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { type ParsedQuery, parseQuery } from "../../search/query/query.ts";
import { isTopLevel } from "../../search/results/describe.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { pack, type Unit } from "../../workflows/batches/pack.ts";
import { addresses } from "../../workflows/plan.ts";
import { preferences } from "../../workflows/reports/preferences.ts";
import type { BatchPassage } from "../../workflows/workflow.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, MAX_RESULTS } from "../shared/fields.ts";
import { runSelection, type WorkflowSelection, workflowFields, workflowOutput } from "./workflows.ts";

/** Messages of the user that share words with the topic, best first. */
const MAX_CANDIDATES = 400;
/** The agent's message that the user answers is looked for in this many messages before it. */
const MAX_MESSAGES_BACK = 6;
/** Per message: pasted text is long, the user's own words are not. */
const MAX_MESSAGE_TOKENS = 1500;
/** Reserved for the line above each conversation. */
const HEAD_TOKENS = 80;
/** Reserved for the line above each message. */
const FRAME_TOKENS = 8;

export const workflowPreferences = defineOperation({
  name: "dex_workflow_preferences",
  verb: "workflow preferences",
  summary: "Collect your statements and preferences about a topic, with references",
  positionals: ["topic"],
  input: z.strictObject({
    topic: z.string().min(1, "needs a topic").max(1000).describe('The topic: "error handling"'),
    ...filterFields,
    ...workflowFields,
  }),
  output: workflowOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  queryField: "topic",
  run: (dex, input, context) => {
    const query = parseQuery(input.topic);
    if (!query) {
      throw new DexError("empty_query", "The topic contains no word to search for.", {
        hint: 'For example: dex workflow preferences "error handling".',
      });
    }
    const { project = query.fields.project, source = query.fields.source } = input;
    const { from = query.fields.from, to = query.fields.to } = input;
    const filter = toFilter(dex, { project, source, from, to, file: query.fields.file });
    const hits = dex.store.searchMessages({ ...termsOf(query), role: "user" }, filter, MAX_CANDIDATES);
    const selection = selectPassages(dex, hits, input.tokens);
    const asked = { topic: input.topic.trim(), project: project ?? "", source: source ?? "" };
    return runSelection(dex, preferences(asked.topic, query.terms), asked, selection, input, context);
  },
  isEmpty: (output) => output.conversations === 0,
});

function termsOf({ terms, required, excluded }: ParsedQuery): Pick<ParsedQuery, "terms" | "required" | "excluded"> {
  return { terms, required, excluded };
}

/** Each message found, with the agent's message that it answers, oldest first as in a plan. */
function selectPassages(dex: Dex, hits: readonly MessageHit[], maxTokens: number): WorkflowSelection {
  const room = Math.floor(maxTokens / BUDGET_MARGIN);
  const perMessage = Math.min(
    MAX_MESSAGE_TOKENS,
    Math.floor((room - HEAD_TOKENS) / (MAX_MESSAGES_BACK + 2)) - FRAME_TOKENS,
  );
  const address = addresses(dex);
  const rows = new Map<number, ConversationRow>();
  for (const { no } of hits) {
    const row = rows.get(no) ?? dex.store.byNo(no);
    if (row && isTopLevel(row)) rows.set(no, row);
  }
  const units: Unit<BatchPassage>[] = [];
  for (const { no, index } of hits) {
    const row = rows.get(no);
    if (!row) continue;
    const messages = dex.store.messages(no, Math.max(0, index - MAX_MESSAGES_BACK), index + 1);
    const first = messages.findLast(({ role, index: at }) => role === "assistant" && at < index)?.index ?? index;
    const sizes = messages.filter(({ index: at }) => at >= first).map(({ tokens_stripped }) => tokens_stripped);
    const tokens = sizes.reduce(
      (sum, size) => sum + Math.min(size, perMessage) + FRAME_TOKENS,
      HEAD_TOKENS + estimateTokens(row.title),
    );
    const of = { address: address(row), row, first, last: index, maxTokens: perMessage };
    units.push({ of, count: 0, head: Math.min(tokens, room), pieces: [], stretches: () => [] });
  }
  units.sort(({ of: a }, { of: b }) => {
    return a.row.updated - b.row.updated || compareText(a.address, b.address) || a.first - b.first;
  });
  return {
    batches: pack(units, { room, maxMessages: MAX_RESULTS }).map(({ entries }) => entries.map(({ of }) => of)),
    conversations: rows.size,
    words: [...rows.values()].map(address),
  };
}
