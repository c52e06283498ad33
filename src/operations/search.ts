import * as z from "zod";
import { ROLES } from "../conversations/model.ts";
import { renderMessage } from "../conversations/render.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { parseQuery } from "../search/query.ts";
import { makeSnippet } from "../search/snippet.ts";
import type { TextHit } from "../store/ports.ts";
import { filterFields, limitField, offsetField, toFilter } from "./fields.ts";
import { defineOperation } from "./operation.ts";
import { loadMessages, resolveConversation } from "./resolve.ts";
import { currentSession } from "./session.ts";

const SNIPPET = 300;

const result = z.object({
  id: z.string(),
  title: z.string(),
  project: z.string(),
  source: z.string(),
  date: z.string(),
  snippet: z.string(),
  message_index: z.number(),
  estimated_tokens: z.number(),
  score: z.number(),
  parent: z.string().optional(),
});

export const search = defineOperation({
  name: "dex_search",
  verb: "search",
  summary: "Find conversations by what was said or done in them",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().describe('Words, a question, an identifier, a file name, a "phrase"'),
    file: z.string().optional().describe("Part of the path of a file the conversation touched"),
    ...filterFields,
    session: z.string().default("all").describe("all, current, or a conversation's id"),
    role: z.enum(ROLES).optional().describe("Only messages of this role"),
    tool: z.string().optional().describe("Only messages that use this tool"),
    limit: limitField(10),
    offset: offsetField,
  }),
  output: z.object({ results: z.array(result), total: z.number() }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  run: (dex, input) => {
    const query = parseQuery(input.query, input);
    if (!query) {
      throw new DexError("empty_query", "There is no word in the query to search for.", {
        hint: "Type a few words, a question, or a file name; `dex list` browses without a query.",
      });
    }
    const filter = { ...toFilter(dex, input), no: sessionNo(dex, input.session) };
    const { hits, total } = dex.store.searchTexts(query, filter, input.limit, input.offset);
    return { results: hits.flatMap((hit) => describe(dex, hit, query.words)), total };
  },
  isEmpty: (output) => output.results.length === 0,
});

function sessionNo(dex: Dex, session: string): number | undefined {
  if (session === "all") return undefined;
  const id = session === "current" ? currentSession(dex.vars) : session;
  if (id === undefined) {
    throw new DexError("no_session", "The current session is not known here.", {
      hint: "Set DEX_SESSION to its id, or use --session <id>.",
    });
  }
  return resolveConversation(dex, id).no;
}

function describe(dex: Dex, hit: TextHit, terms: string[]): z.output<typeof result>[] {
  const row = dex.store.byNo(hit.no);
  if (!row) return [];
  const index = hit.index ?? 0;
  const message = loadMessages(dex, row, index, index + 1)[0]?.message;
  const text = message ? (renderMessage(message, "full") ?? "") : "";
  return [
    {
      id: row.id,
      title: row.title,
      project: row.project ?? "",
      source: row.source,
      date: new Date(row.updated).toISOString(),
      snippet: makeSnippet(text, terms, SNIPPET),
      message_index: index,
      estimated_tokens: row.tokens,
      score: Math.round(hit.score * 1000) / 1000,
      ...(row.parent === null ? {} : { parent: row.parent }),
    },
  ];
}
