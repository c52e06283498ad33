/** `dex fix`: past conversations that contain the same error, or a similar one, and the messages that followed. */
import * as z from "zod";
import { ROLES } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { loadMessages } from "../../search/messages.ts";
import { parseQuery } from "../../search/query/query.ts";
import { type ErrorLine, errorLines } from "../../search/query/signature.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, limitField } from "../shared/fields.ts";

/** Messages that share words with the error. The text of each is read. */
const MAX_CANDIDATES = 400;
const MAX_NEXT_MESSAGES = 4;
/** Tool outputs echo files and logs, so an error may appear deep in a text, but a long log is not read to its end. */
const MAX_TEXT_CHARS = 200_000;
/** A similar text has at least this share of the weight of the error's words. */
const MIN_SHARED_WEIGHT = 0.5;
/** A shorter line occurs in many texts by chance. */
const MIN_PASTED_CHARS = 20;

const errorMatch = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_index: z.number(),
  /** The shortest unique address of the conversation. */
  address: z.string(),
  /** `signature`: the same error except for numbers, ids and paths. `words`: a similar error. */
  match: z.enum(["signature", "words"]),
  error: z.string(),
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
  }),
  output: z.object({ results: z.array(errorMatch), total: z.number() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  queryField: "error",
  run: (dex, input, context) => {
    const wanted = errorLines(input.error);
    const query = parseQuery(wanted.map(({ line }) => line).join("\n") || input.error);
    if (!query) {
      throw new DexError("empty_query", "The error contains no word to search for.", {
        hint: "Paste the line that names the error.",
      });
    }
    // An error message may contain text that looks like a filter, so only its words are used.
    const hits = dex.store.searchMessages({ terms: query.terms }, toFilter(dex, input), MAX_CANDIDATES);
    const texts = hits.flatMap((hit) => {
      const row = dex.store.byNo(hit.no);
      return row ? [{ row, index: hit.index, score: hit.score, text: textOf(dex, row, hit.index) }] : [];
    });
    const alike = sharesWords(
      query.words,
      texts.map(({ text }) => text),
    );
    const address = shortAddresses(dex);
    const found = new Map<number, z.output<typeof errorMatch> & { score: number }>();
    for (const { row, index, score, text } of texts) {
      const known = found.get(row.no);
      if (known?.match === "signature") continue;
      const same = sameError(text, wanted, input.error);
      if (!same && (known || !alike(text))) continue;
      found.set(row.no, { ...describe(dex, row, index, same), address: address(row), score });
    }
    const ranked = [...found.values()].sort(
      (a, b) => Number(b.match === "signature") - Number(a.match === "signature") || b.score - a.score,
    );
    // Similar errors are left out when the same error was found.
    const exact = ranked.filter(({ match }) => match === "signature");
    const shown = exact.length > 0 ? exact : ranked;
    context.trace?.({
      query: input.error,
      inputs: { candidates: hits.length, same_signature: exact.length },
      ranking: shown
        .slice(0, input.limit)
        .map(({ id, source, score, title }) => ({ id, source, score, summary: title })),
      budgets: { limit: input.limit },
    });
    return { results: shown.slice(0, input.limit).map(({ score, ...rest }) => rest), total: shown.length };
  },
  isEmpty: (output) => output.results.length === 0,
});

function textOf(dex: Dex, row: ConversationRow, index: number): string {
  const message = loadMessages(dex, row, index, index + 1)[0]?.message;
  return message ? (renderMessage(message, "full") ?? "").slice(0, MAX_TEXT_CHARS) : "";
}

/** The line of the text with the same signature, or the pasted line itself; undefined when neither occurs. */
function sameError(text: string, wanted: readonly ErrorLine[], pasted: string): string | undefined {
  const signatures = new Set(wanted.map(({ signature }) => signature));
  for (let start = 0; signatures.size > 0 && start < text.length; start += 20_000) {
    const found = errorLines(text.slice(start, start + 21_000)).find(({ signature }) => signatures.has(signature));
    if (found) return found.line;
  }
  const line = pasted.trim().split("\n")[0]?.trim() ?? "";
  return wanted.length === 0 && line.length >= MIN_PASTED_CHARS && text.includes(line) ? line : undefined;
}

/**
 * Returns a test for similar texts: they contain at least half of the error's words, weighted by rarity among the
 * candidates. A single common word does not make a text similar.
 */
function sharesWords(words: readonly string[], texts: readonly string[]): (text: string) => boolean {
  const folded = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !/^\d+$/.test(word));
  const lower = texts.map((text) => text.toLowerCase());
  const weights = folded.map((word) => {
    const having = lower.filter((text) => text.includes(word)).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (text) => {
    const own = text.toLowerCase();
    const shared = folded.reduce((sum, word, i) => sum + (own.includes(word) ? (weights[i] ?? 0) : 0), 0);
    return shared >= total * MIN_SHARED_WEIGHT;
  };
}

function describe(
  dex: Dex,
  row: ConversationRow,
  index: number,
  line: string | undefined,
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
    match: line === undefined ? "words" : "signature",
    error: line ?? dex.store.messages(row.no, index, index + 1)[0]?.head ?? "",
    next: next.map(({ index: at, role, head }) => ({ index: at, role, head })),
  };
}
