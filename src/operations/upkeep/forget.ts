/** `dex forget`: removes conversations and everything derived from them. */
import * as z from "zod";
import { parseAddress } from "../../conversations/address.ts";
import { PARENT_KINDS } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { forgetConversations, previewForgetting } from "../../forgetting/forget.ts";
import { CHILDREN, chooseConversations, type ForgottenConversation } from "../../forgetting/plan.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { matching, resolveConversation } from "../../search/filters/resolve.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { hasTeam } from "../../team/joined.ts";
import { defineOperation } from "../operation.ts";

/** Long enough that a typo does not match another conversation. */
const MIN_PREFIX_CHARS = 8;

const conversation = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string(),
  updated: z.string(),
  messages: z.number(),
  why: z.enum(["named", ...PARENT_KINDS]),
});

const removedOutput = z.object({
  suggestions: z.number(),
  deliveries: z.number(),
  told: z.number().describe("Records of facts delivered to sessions and subscriptions"),
  history: z.number().describe("Decisions and test results read from the conversations"),
  summaries: z.number(),
  traces: z.number(),
  log_lines: z.number(),
  workflow_runs: z.array(z.string()),
  chats: z.array(z.string()),
  open_chats: z.array(z.string()).describe("Chats that quote a conversation but are open elsewhere; they are kept"),
  files: z.array(z.string()).describe("Other files in dex's home"),
  unreadable: z.array(z.string()).describe("Files and folders that dex could not read; they may quote a conversation"),
});

export const forget = defineOperation({
  name: "dex_forget",
  verb: "forget",
  summary: "Remove conversations and everything derived from them for good; sync does not restore them",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z
      .array(z.string())
      .min(1, "needs at least one id")
      .max(10_000)
      .describe(`Conversation ids or unique prefixes of at least ${MIN_PREFIX_CHARS} characters`),
    children: z
      .enum(CHILDREN)
      .default("subagents")
      .describe("Also remove conversations started from them: subagents, all (forks too) or none"),
    dry_run: z.boolean().default(false).describe("Show what would be removed, and change nothing"),
    yes: z.boolean().default(false).describe("Do not ask for confirmation"),
  }),
  output: z.object({
    forgotten: z.array(conversation),
    staying: z.array(conversation).describe("Conversations started from them that are kept"),
    removed: removedOutput,
    done: z.boolean(),
    held: z.enum(["dry_run", "declined"]).optional().describe("Why nothing was removed"),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  run: async (dex, input, context) => {
    if (hasTeam(dex.paths.team)) for (const id of input.ids) await refuseOthers(dex, id);
    const named = [...new Map(input.ids.map((id) => resolveNamed(dex, id)).map((row) => [row.no, row])).values()];
    const { going, staying } = chooseConversations(dex.store, named, input.children);
    const conversations = going.map(({ row: { source, id } }) => ({ source, id }));
    const about = { forgotten: going.map(listed), staying: staying.map(listed) };
    const ask = input.yes ? undefined : context.confirm;
    if (input.dry_run || ask) {
      const removed = await previewForgetting(dex, conversations);
      if (input.dry_run) return { ...about, removed, done: false, held: "dry_run" as const };
      const agreed = await ask?.(
        { ...about, removed, done: false },
        `Forget ${conversations.length === 1 ? "this conversation" : `these ${conversations.length} conversations`}?`,
      );
      if (!agreed) return { ...about, removed, done: false, held: "declined" as const };
    } else if (!input.yes) {
      throw new DexError("needs_yes", `Forgetting ${plural(going.length, "conversation")} cannot be undone.`, {
        hint: "Confirm with --yes, or use --dry-run to see what would be removed.",
      });
    }
    const removed = await forgetConversations(dex, conversations);
    if (hasTeam(dex.paths.team)) {
      const problem = await (await import("../../project/team/push.ts")).forgetInTeam(dex);
      if (problem !== undefined) context.notice?.(problem);
    }
    return { ...about, removed, done: true };
  },
});

/** A conversation of another member is in the index of the team alone, and theirs to forget. */
async function refuseOthers(dex: Dex, typed: string): Promise<void> {
  const { id, source } = parseAddress(typed);
  if (dex.store.byPrefix(id, source, 1).length > 0) return;
  const { withCached } = await import("../../team/finding/cached.ts");
  const cached = withCached(dex.store, dex.paths.team, dex.now());
  try {
    const owner = cached && matching(cached.index, parseAddress(typed)).rows[0]?.team?.owner;
    if (owner === undefined || owner === cached?.index.home?.owner) return;
    throw new DexError("team_role", `"${id}" is a conversation of ${owner}, who alone can remove it from the team.`, {
      hint: `Ask ${owner} to run \`dex forget ${id}\`.`,
    });
  } finally {
    cached?.close();
  }
}

function resolveNamed(dex: Dex, typed: string): ConversationRow {
  const { id, index } = parseAddress(typed);
  const row = resolveConversation(dex, typed);
  if (index !== undefined) {
    throw new DexError("bad_address", `"${typed}" names a message; only whole conversations can be forgotten.`, {
      hint: `Omit #${index} to forget the whole conversation.`,
    });
  }
  if (id === row.id || id.length >= MIN_PREFIX_CHARS) return row;
  throw new DexError("short_id", `"${id}" is too short to identify a conversation to forget.`, {
    hint: `Give at least ${MIN_PREFIX_CHARS} characters of the id: ${row.id.slice(0, MIN_PREFIX_CHARS)}.`,
  });
}

function listed({ row, why }: ForgottenConversation): z.output<typeof conversation> {
  const { id, source, title, updated, messages } = row;
  return { id, source, title, updated: new Date(updated).toISOString(), messages, why };
}
