/** `search --regex` as search results: conversations whose text matches, the latest first. */
import { ROLES } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { RunContext } from "../../run_context.ts";
import { outdatedIndex } from "../../store/databases/outdated_index.ts";
import type { SearchInput, SearchOutput } from "../conversations.ts";
import { toFilter } from "../filters/filter.ts";
import { shortAddresses } from "../filters/resolve.ts";
import { sessionRow } from "../filters/session.ts";
import { foundConversation } from "../results/describe.ts";
import { facetsOf } from "../results/facets.ts";
import type { SearchResult } from "../results/result_schema.ts";
import { type PatternHit, searchPattern } from "./pattern_search.ts";

/** Characters shown before and after the beginning of the first match. */
const CHARS_BEFORE = 80;
const CHARS_AFTER = 220;
/** A filter in the syntax of a plain query. */
const FILTER = /(?:^|\s)-?((?:project|source|role|tool|file|before|after|from|to):\S+)/;

export function searchByPattern(dex: Dex, input: SearchInput, context: RunContext): SearchOutput {
  const started = performance.now();
  if (input.in !== "conversations") {
    throw new DexError("bad_input", `--regex searches conversations, not ${input.in}.`, {
      hint: "Leave --in out, or search without --regex.",
    });
  }
  if (dex.indexState === "outdated") throw outdatedIndex();
  if (dex.indexState !== "ready") {
    throw new DexError("no_index", "Regular expressions need the index, and there is none yet.", {
      hint: "Run `dex sync` first.",
    });
  }
  const filter = { ...toFilter(dex, input), no: sessionRow(dex, input.session)?.no };
  const { hits, note: left } = searchPattern(dex, input.query, filter, input);
  const note = left ?? (hits.length === 0 ? filterNote(input.query) : undefined);
  const address = shortAddresses(dex);
  const results = hits.slice(input.offset, input.offset + input.limit).map((hit) => described(dex, hit, address));
  context.trace?.({
    query: input.query,
    inputs: { conversations: dex.store.totals().conversations, matching: hits.length },
    ranking: results.map(({ id, source, score_final, title }) => ({ id, source, score: score_final, summary: title })),
    budgets: { limit: input.limit, offset: input.offset },
    truncation: { results: Math.max(0, hits.length - input.offset - results.length) },
    stages: [{ name: "regex", ms: performance.now() - started, out: hits.length }],
    session: input.session === "all" ? undefined : input.session,
  });
  const roles = new Map(ROLES.map((role) => [role, hits.filter((hit) => hit.roles.has(role)).length]));
  const rows = hits.map(({ row }) => row);
  return {
    results,
    total: hits.length,
    total_any: hits.length,
    matches: "exact",
    ...(note === undefined ? {} : { note }),
    ...(input.facets ? { facets: facetsOf(rows, roles) } : {}),
  };
}

/** A note that the filter is part of the regular expression here, because a pattern may be meant to match `file:`. */
function filterNote(pattern: string): string | undefined {
  const [, typed] = FILTER.exec(pattern) ?? [];
  if (typed === undefined) return undefined;
  return `In a regular expression, "${typed}" is a part of the pattern; filter with a flag, such as --project.`;
}

function described(dex: Dex, hit: PatternHit, address: ReturnType<typeof shortAddresses>): SearchResult {
  const { row, index, text, at, messages } = hit;
  const from = Math.max(0, at - CHARS_BEFORE);
  const snippet = text
    .slice(from, at + CHARS_AFTER)
    .replace(/\s+/g, " ")
    .trim();
  return {
    ...foundConversation(dex, row, address),
    snippet: `${from > 0 ? "…" : ""}${snippet}${at + CHARS_AFTER < text.length ? "…" : ""}`,
    message_index: index,
    rank_source: "lexical",
    score_lex: messages,
    score_vec: null,
    score_final: messages,
  };
}
