import * as z from "zod";
import { ROLES } from "../conversations/model.ts";
import { renderMessage } from "../conversations/render.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { parseQuery } from "../search/query.ts";
import { type ErrorLine, errorLines } from "../search/signature.ts";
import type { ConversationRow } from "../store/ports.ts";
import { filterFields, limitField, toFilter } from "./fields.ts";
import { defineOperation } from "./operation.ts";
import { loadMessages } from "./resolve.ts";

/** Messages that share words with the error; each is looked into. */
const CANDIDATES = 400;
/** What was done next is told by so many lines. */
const NEXT = 4;
/** Tool outputs echo files and logs: a line so deep in a text is still looked at, but not the whole of a long log. */
const LONGEST_TEXT = 200_000;

const met = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  message_index: z.number(),
  /** `signature`: the same error, but for numbers, ids and paths. `words`: only alike. */
  match: z.enum(["signature", "words"]),
  error: z.string(),
  next: z.array(z.object({ index: z.number(), role: z.enum(ROLES), head: z.string() })),
});

export const fix = defineOperation({
  name: "dex_fix",
  verb: "fix",
  summary: "Who met this error before, and what was done next",
  positionals: ["error"],
  input: z.strictObject({
    error: z.string().describe("The error message or stack trace, as pasted"),
    ...filterFields,
    limit: limitField(5),
  }),
  output: z.object({ results: z.array(met), total: z.number() }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  traced: true,
  asks: "error",
  run: (dex, input, context) => {
    const wanted = errorLines(input.error);
    const query = parseQuery(wanted.map(({ line }) => line).join("\n") || input.error);
    if (!query) {
      throw new DexError("empty_query", "There is no word in the error to look for.", {
        hint: "Paste the line that says what went wrong.",
      });
    }
    // Words only: what looks like a filter in an error message is none.
    const hits = dex.store.searchMessages({ terms: query.terms }, toFilter(dex, input), CANDIDATES);
    const found = new Map<number, z.output<typeof met> & { score: number }>();
    for (const hit of hits) {
      const row = dex.store.byNo(hit.no);
      const known = found.get(hit.no);
      if (!row || known?.match === "signature") continue;
      const same = sameError(dex, row, hit.index, wanted);
      if (known && !same) continue;
      found.set(hit.no, { ...describe(dex, row, hit.index, same), score: hit.score });
    }
    const ranked = [...found.values()].sort(
      (a, b) => Number(b.match === "signature") - Number(a.match === "signature") || b.score - a.score,
    );
    // Where somebody met the very error, conversations that only sound like it are left out.
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

/** The line of the message that is the same error; undefined when none is. */
function sameError(dex: Dex, row: ConversationRow, index: number, wanted: readonly ErrorLine[]): string | undefined {
  const message = loadMessages(dex, row, index, index + 1)[0]?.message;
  const text = message ? (renderMessage(message, "full") ?? "").slice(0, LONGEST_TEXT) : "";
  const signatures = new Set(wanted.map(({ signature }) => signature));
  for (let start = 0; start < text.length; start += 20_000) {
    const found = errorLines(text.slice(start, start + 21_000)).find(({ signature }) => signatures.has(signature));
    if (found) return found.line;
  }
  return undefined;
}

function describe(dex: Dex, row: ConversationRow, index: number, line: string | undefined): z.output<typeof met> {
  const following = dex.store.messages(row.no, index + 1, index + 1 + NEXT * 3);
  const telling = following.filter(({ role, head }) => role !== "tool" && head !== "").slice(0, NEXT);
  return {
    id: row.id,
    title: row.title,
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    message_index: index,
    match: line === undefined ? "words" : "signature",
    error: line ?? dex.store.messages(row.no, index, index + 1)[0]?.head ?? "",
    next: telling.map(({ index: at, role, head }) => ({ index: at, role, head })),
  };
}
