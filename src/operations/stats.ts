import * as z from "zod";
import { DexError } from "../kernel/errors.ts";
import { defineOperation } from "./operation.ts";
import { currentSession } from "./session.ts";

const TOP_PROJECTS = 20;

export const stats = defineOperation({
  name: "dex_stats",
  verb: "stats",
  summary: "What is indexed: conversations, agents, projects, time span, tokens",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({
    total_conversations: z.number(),
    total_messages: z.number(),
    total_tokens: z.number(),
    date_range: z.object({ earliest: z.string().nullable(), latest: z.string().nullable() }),
    sources: z.record(z.string(), z.number()),
    projects: z.array(z.string()),
    avg_tokens_per_conversation: z.number(),
    session_id: z.string().nullable(),
    last_sync: z.string().nullable(),
  }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  toolset: "conversations",
  run: (dex) => {
    if (dex.indexState === "outdated") {
      throw new DexError("outdated_index", "The index was made by another version of dex, so nothing can be counted.", {
        hint: "Run `dex sync`: it builds the index anew from the archive.",
      });
    }
    const totals = dex.store.totals();
    const lastSync = dex.store.getValue("last_sync");
    return {
      total_conversations: totals.conversations,
      total_messages: totals.messages,
      total_tokens: totals.tokens,
      date_range: { earliest: iso(totals.earliest), latest: iso(totals.latest) },
      sources: totals.sources,
      projects: dex.store.projects(TOP_PROJECTS).map(({ project }) => project),
      avg_tokens_per_conversation: totals.conversations === 0 ? 0 : Math.round(totals.tokens / totals.conversations),
      session_id: currentSession(dex.vars) ?? null,
      last_sync: lastSync === undefined ? null : new Date(Number(lastSync)).toISOString(),
    };
  },
});

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
