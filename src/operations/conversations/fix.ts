/** `dex fix`: past conversations that contain the same error, or a similar one, and the messages that followed. */
import * as z from "zod";
import { ROLES } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { MessageHit } from "../../ranking/hits.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { loadMessagesAt, unlessDamaged } from "../../search/messages.ts";
import { parseQuery } from "../../search/query/query.ts";
import { errorWords, type FoundError, namedWords, WantedError } from "../../search/query/same_error.ts";
import { errorLines } from "../../search/query/signature.ts";
import { isCodeLine, statedTexts } from "../../search/query/stated_errors.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { clip } from "../../text/clip.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, limitField, maxTokensField } from "../shared/fields.ts";
import { withinTokens } from "../shared/within_tokens.ts";

/** Messages that share words with the error. The text of each is read. */
const MAX_CANDIDATES = 400;
/** Messages that have the rarest words of one line of the error. */
const MAX_NEAR_CANDIDATES = 300;
/** Lines of a pasted stack trace or log that are looked for. */
const MAX_WANTED_LINES = 8;
/** dex reads a message before others if it has this many of a line's rarest words. */
const REQUIRED_WORDS = 4;
/** The weight of a quoted name relative to the words around it, when errors are compared. */
const NAMED_WEIGHT = 0.5;
const MAX_NEXT_MESSAGES = 4;
const MAX_ERROR_CHARS = 300;
/** Tool outputs echo files and logs, so an error may appear deep in a text, but a long log is not read to its end. */
const MAX_TEXT_CHARS = 200_000;

const errorMatch = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_index: z.number(),
  /** The shortest unique address of the conversation. */
  address: z.string(),
  /** `same`: the same error except for numbers, ids, folders and words such as `Error:` before it. */
  match: z.enum(["same", "similar"]),
  /** The line is code or part of a command, not the report of an error. */
  mentioned: z.literal(true).optional(),
  /** The line of that conversation. */
  error: z.string(),
  /** Messages after it, without tool results. */
  next: z.array(z.object({ index: z.number(), role: z.enum(ROLES), head: z.string() })),
});

export const fix = defineOperation({
  name: "dex_fix",
  verb: "fix",
  summary: "Find past conversations with this error, and the steps that followed",
  positionals: ["error"],
  input: z.strictObject({
    error: z.string().describe("The error message or stack trace, as pasted"),
    ...filterFields,
    limit: limitField(5),
    max_tokens: maxTokensField,
  }),
  output: z.object({ results: z.array(errorMatch), total: z.number() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  queryField: "error",
  run: (dex, input, context) => {
    const filter = toFilter(dex, { ...input, abandoned: false });
    if (!parseQuery(input.error)) {
      throw new DexError("empty_query", "The error contains no word to search for.", {
        hint: "Paste the line that names the error.",
      });
    }
    const wanted = wantedErrors(dex, input.error);
    const candidates = findCandidates(dex, wanted, filter);
    const address = shortAddresses(dex);
    const found = [...byConversation(candidates)].flatMap(([no, scores]) => {
      const row = dex.store.byNo(no);
      const best = row && unlessDamaged(dex, () => bestMessage(dex, row, scores, wanted), undefined);
      return row && best ? [{ row, ...best }] : [];
    });
    // Similar errors are left out when the same error was found.
    const same = found.filter(({ grade }) => grade > 1);
    const alike = same.length > 0 ? same : found;
    const reported = alike.filter(({ isReported }) => isReported);
    const shown = (reported.length > 0 ? reported : alike).sort(
      (a, b) =>
        b.grade - a.grade ||
        b.share - a.share ||
        b.score - a.score ||
        b.row.updated - a.row.updated ||
        (a.row.id < b.row.id ? -1 : 1),
    );
    const first = shown.slice(0, input.limit);
    const described = first.map((each) => ({ ...describe(dex, each), address: address(each.row) }));
    const results = withinTokens(
      described,
      input.max_tokens,
      ({ title, address: at, project, source, error, next }) => [
        ...[title, at, project, source, error],
        ...next.flatMap(({ index, role, head }) => [index, role, head]),
      ],
    );
    context.trace?.({
      query: input.error,
      inputs: { candidates: candidates.length, same_error: same.length },
      ranking: first
        .slice(0, results.length)
        .map(({ row, score }) => ({ id: row.id, source: row.source, score, summary: row.title })),
      budgets: { limit: input.limit, ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }) },
    });
    return { results, total: shown.length };
  },
  isEmpty: (output) => output.total === 0,
});

interface WantedLine {
  error: WantedError;
  /** The rarest first; only terms that the index has. */
  terms: string[];
}

function wantedErrors(dex: Dex, pasted: string): WantedLine[] {
  const { messages } = dex.store.totals();
  return errorLines(pasted)
    .slice(0, MAX_WANTED_LINES)
    .flatMap((line) => {
      const words = errorWords(line.signature).map((word) => {
        const terms = parseQuery(word)?.terms ?? [];
        const having = Math.min(...terms.map((term) => messagesWith(dex, term)));
        return { word, terms, having: Number.isFinite(having) ? having : 0 };
      });
      if (words.length === 0) return [];
      const named = namedWords(line.signature);
      const weighted = words.map(({ word, having }) => ({
        word,
        weight: Math.log(1 + (messages - having + 0.5) / (having + 0.5)) * (named.has(word) ? NAMED_WEIGHT : 1),
      }));
      const known = words.filter(({ having }) => having > 0).sort((a, b) => a.having - b.having);
      return [{ error: new WantedError(line, weighted), terms: [...new Set(known.flatMap(({ terms }) => terms))] }];
    });
}

function messagesWith(dex: Dex, term: string): number {
  const [hit] = dex.store.searchMessages({ terms: [term] }, {}, 1);
  return hit ? (dex.store.explain({ terms: [term] }, hit.no, hit.index)[0]?.messages ?? 0) : 0;
}

/** Messages with the rarest words of a line, then those with any of its words. */
function findCandidates(dex: Dex, wanted: readonly WantedLine[], filter: ConversationFilter): MessageHit[] {
  const near = wanted.flatMap(({ terms }) =>
    terms.length === 0
      ? []
      : dex.store.searchMessages({ terms, required: terms.slice(0, REQUIRED_WORDS) }, filter, MAX_NEAR_CANDIDATES),
  );
  const terms = [...new Set(wanted.flatMap((line) => line.terms))];
  return [...near, ...(terms.length === 0 ? [] : dex.store.searchMessages({ terms }, filter, MAX_CANDIDATES))];
}

/** The score of each candidate by its index. */
function byConversation(hits: readonly MessageHit[]): Map<number, Map<number, number>> {
  const found = new Map<number, Map<number, number>>();
  for (const { no, index, score } of hits) {
    const scores = found.get(no) ?? new Map<number, number>();
    scores.set(index, Math.max(score, scores.get(index) ?? 0));
    found.set(no, scores);
  }
  return found;
}

interface BestMessage extends FoundError {
  index: number;
  isReported: boolean;
  score: number;
}

/**
 * The message that states the error best, the earliest one if several do. A message that reports the error comes before
 * one that only contains its words.
 */
function bestMessage(
  dex: Dex,
  row: ConversationRow,
  scores: ReadonlyMap<number, number>,
  wanted: readonly WantedLine[],
): BestMessage | undefined {
  let best: BestMessage | undefined;
  for (const { index, message } of loadMessagesAt(dex, row, [...scores.keys()])) {
    const { said, handled } = statedTexts(message);
    for (const { error } of wanted) {
      for (const text of [said, handled]) {
        const found = error.find(text.slice(0, MAX_TEXT_CHARS));
        if (!found) continue;
        const isReported = text === said && !isCodeLine(found.line);
        const candidate = { ...found, index, isReported, score: scores.get(index) ?? 0 };
        if (!best || isBetter(candidate, best)) best = candidate;
      }
    }
  }
  return best;
}

function isBetter(a: BestMessage, b: BestMessage): boolean {
  const isSame = (each: BestMessage): number => (each.grade > 1 ? 1 : 0);
  const order =
    isSame(a) - isSame(b) || Number(a.isReported) - Number(b.isReported) || a.grade - b.grade || a.share - b.share;
  return order > 0;
}

function describe(
  dex: Dex,
  { row, index, line, grade, isReported }: BestMessage & { row: ConversationRow },
): Omit<z.output<typeof errorMatch>, "address"> {
  const following = dex.store.messages(row.no, index + 1, index + 1 + MAX_NEXT_MESSAGES * 3);
  const next = following.filter(({ role, head }) => role !== "tool" && head !== "").slice(0, MAX_NEXT_MESSAGES);
  return {
    id: row.id,
    title: row.title,
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    message_index: index,
    match: grade > 1 ? "same" : "similar",
    ...(isReported ? {} : { mentioned: true as const }),
    error: clip(line, MAX_ERROR_CHARS),
    next: next.map(({ index: at, role, head }) => ({ index: at, role, head })),
  };
}
