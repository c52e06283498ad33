/** `dex index`: a table of conversations with the size of each and the files and commits it touched. */
import * as z from "zod";
import { sharedPrefixLength } from "../../kernel/text.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { defineOperation } from "../operation.ts";
import { abandonedField, filterFields, limitField, offsetField, subagentsField } from "../shared/fields.ts";

export const index = defineOperation({
  name: "dex_index",
  verb: "index",
  summary: "List conversations with their messages, tokens, files and commits",
  positionals: [],
  input: z.strictObject({
    ...filterFields,
    subagents: subagentsField(true),
    abandoned: abandonedField,
    limit: limitField(50),
    offset: offsetField,
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        prefix: z.string(),
        source: z.string(),
        date: z.string(),
        title: z.string(),
        project: z.string(),
        messages: z.number(),
        tokens: z.number(),
        files: z.number(),
        commits: z.number(),
      }),
    ),
    total: z.number(),
    hidden_subagents: z.number(),
    hidden_abandoned: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const filter = toFilter(dex, input);
    const rows = dex.store.list(filter, input.limit, input.offset);
    const counts = dex.store.fileCounts(rows.map(({ no }) => no));
    const prefixes = uniquePrefixes(dex.store.ids().map(({ id }) => id));
    const sessions = rows.map((row) => ({
      id: row.id,
      prefix: prefixes.get(row.id) ?? row.id,
      source: row.source,
      date: new Date(row.updated).toISOString(),
      title: row.title,
      project: row.project ?? "",
      messages: row.messages,
      tokens: row.tokens,
      files: counts.get(row.no)?.files ?? 0,
      commits: counts.get(row.no)?.commits ?? 0,
    }));
    return {
      sessions,
      total: dex.store.count(filter),
      hidden_subagents: input.subagents ? 0 : dex.store.count({ ...filter, subagents: true }),
      hidden_abandoned: input.abandoned ? 0 : dex.store.count({ ...filter, abandoned: true }),
    };
  },
  isEmpty: (output) => output.sessions.length === 0,
});

const MIN_PREFIX_CHARS = 4;

/** The shortest unique prefix of each id, at least four characters long. `ids` must be sorted. */
export function uniquePrefixes(ids: readonly string[]): Map<string, string> {
  const prefixes = new Map<string, string>();
  for (const [i, id] of ids.entries()) {
    const others = [ids[i - 1], ids[i + 1]].flatMap((other) => (other === id ? [] : (other ?? [])));
    const shared = Math.max(0, ...others.map((other) => sharedPrefixLength(id, other)));
    prefixes.set(id, id.slice(0, Math.max(MIN_PREFIX_CHARS, shared + 1)));
  }
  return prefixes;
}
