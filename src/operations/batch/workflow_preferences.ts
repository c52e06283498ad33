import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/text.ts";
import type { MessageHit } from "../../ranking/hits.ts";
import { isTopLevel } from "../../search/describe.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { type ParsedQuery, parseQuery } from "../../search/query/query.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { pack, type Unit } from "../../workflows/batches/pack.ts";
import { addresses } from "../../workflows/plan.ts";
import { preferences } from "../../workflows/preferences.ts";
import type { BatchPassage } from "../../workflows/workflow.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, MOST } from "../shared/fields.ts";
import { runSelection, type Selection, workflowFields, workflowOutput } from "./workflows.ts";

/** Messages of the person's that share words with the topic; the best of them are read. */
const CANDIDATES = 400;
/** How far back the agent's message may be that the person answers. */
const BACK = 6;
/** Of one message: pastes are long, and what was said about them is not. */
const MOST_TOKENS = 1500;
/** The lines above a conversation and above a message. */
const HEAD = 80;
const FRAME = 8;

export const workflowPreferences = defineOperation({
  name: "dex_workflow_preferences",
  verb: "workflow preferences",
  summary: "What you said about a topic and how you want it, with references",
  positionals: ["topic"],
  input: z.strictObject({
    topic: z.string().min(1, "needs a topic").max(1000).describe('What about: "error handling"'),
    ...filterFields,
    ...workflowFields,
  }),
  output: workflowOutput,
  readOnly: false,
  idempotent: true,
  fresh: true,
  asks: "topic",
  run: (dex, input, context) => {
    const query = parseQuery(input.topic);
    if (!query) {
      throw new DexError("empty_query", "There is no word in the topic to look for.", {
        hint: 'Name what it is about: dex workflow preferences "error handling".',
      });
    }
    const { project = query.fields.project, source = query.fields.source } = input;
    const { from = query.fields.from, to = query.fields.to } = input;
    const filter = toFilter(dex, { project, source, from, to, file: query.fields.file });
    const hits = dex.store.searchMessages({ ...termsOf(query), role: "user" }, filter, CANDIDATES);
    const selection = selectPassages(dex, hits, input.tokens);
    const asked = { topic: input.topic.trim(), project: project ?? "", source: source ?? "" };
    return runSelection(dex, preferences(asked.topic, query.terms), asked, selection, input, context);
  },
  isEmpty: (output) => output.conversations === 0,
});

function termsOf({ terms, required, excluded }: ParsedQuery): Pick<ParsedQuery, "terms" | "required" | "excluded"> {
  return { terms, required, excluded };
}

/** Each message found, with the agent's message that it answers; the oldest first, as in a plan. */
function selectPassages(dex: Dex, hits: readonly MessageHit[], maxTokens: number): Selection {
  const room = Math.floor(maxTokens / BUDGET_MARGIN);
  const most = Math.min(MOST_TOKENS, Math.floor((room - HEAD) / (BACK + 2)) - FRAME);
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
    const messages = dex.store.messages(no, Math.max(0, index - BACK), index + 1);
    const first = messages.findLast(({ role, index: at }) => role === "assistant" && at < index)?.index ?? index;
    const sizes = messages.filter(({ index: at }) => at >= first).map(({ tokens_stripped }) => tokens_stripped);
    const tokens = sizes.reduce((sum, size) => sum + Math.min(size, most) + FRAME, HEAD + estimateTokens(row.title));
    const of = { address: address(row), row, first, last: index, most };
    units.push({ of, count: 0, head: Math.min(tokens, room), pieces: [], stretches: () => [] });
  }
  units.sort(({ of: a }, { of: b }) => {
    return a.row.updated - b.row.updated || compareText(a.address, b.address) || a.first - b.first;
  });
  return {
    batches: pack(units, { room, maxMessages: MOST }).map(({ entries }) => entries.map(({ of }) => of)),
    conversations: rows.size,
    words: [...rows.values()].map(address),
  };
}
