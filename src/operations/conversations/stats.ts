/** `dex stats`: totals of the index, optionally grouped. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { currentSession } from "../../integrations/session.ts";
import { compareText } from "../../kernel/text.ts";
import { dayOf } from "../../kernel/time.ts";
import { outdatedIndex } from "../../store/databases/outdated_index.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { defineOperation } from "../operation.ts";

const TOP_PROJECTS = 20;
const MAX_CONVERSATIONS = 1_000_000;
const GROUPINGS = ["project", "month", "agent", "model"] as const;

export const stats = defineOperation({
  name: "dex_stats",
  verb: "stats",
  summary: "Show totals of the index: conversations, agents, projects, time span, tokens",
  positionals: [],
  input: z.strictObject({
    by: z.enum(GROUPINGS).optional().describe("Count conversations by this"),
  }),
  output: z.object({
    total_conversations: z.number(),
    total_messages: z.number(),
    total_tokens: z.number(),
    date_range: z.object({ earliest: z.string().nullable(), latest: z.string().nullable() }),
    sources: z.record(z.string(), z.number()),
    projects: z.array(z.string()),
    avg_tokens_per_conversation: z.number(),
    session_id: z.string().nullable(),
    /** The folder in which dex runs; calls without a project are about it. */
    folder: z.string(),
    last_sync: z.string().nullable(),
    by: z.enum(GROUPINGS).optional(),
    /** With `by`: largest first, months latest first. The name is empty when it is unknown. */
    groups: z
      .array(z.object({ name: z.string(), conversations: z.number(), messages: z.number(), tokens: z.number() }))
      .optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "conversations",
  unlisted: ["by"],
  run: (dex, input) => {
    if (dex.indexState === "outdated") throw outdatedIndex();
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
      folder: dex.cwd,
      last_sync: lastSync === undefined ? null : new Date(Number(lastSync)).toISOString(),
      ...(input.by === undefined ? {} : { by: input.by, groups: groupsBy(dex, input.by) }),
    };
  },
  aboutHistory: true,
});

type Grouping = (typeof GROUPINGS)[number];

const NAME_OF: Record<Grouping, (row: ConversationRow) => string> = {
  project: ({ project }) => project ?? "",
  /** The month of the last message, in the user's time zone. */
  month: ({ updated }) => dayOf(updated).slice(0, 7),
  agent: ({ source }) => source,
  model: ({ model }) => model ?? "",
};

function groupsBy(dex: Dex, by: Grouping): { name: string; conversations: number; messages: number; tokens: number }[] {
  const groups = Map.groupBy(dex.store.list({}, MAX_CONVERSATIONS, 0), NAME_OF[by]);
  const counted = [...groups].map(([name, rows]) => ({
    name,
    conversations: rows.length,
    messages: rows.reduce((sum, { messages }) => sum + messages, 0),
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
  if (by === "month") return counted.sort((a, b) => compareText(b.name, a.name));
  return counted.sort((a, b) => b.conversations - a.conversations || compareText(a.name, b.name));
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
