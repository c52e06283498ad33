/** `dex family`: the conversations that belong together: where one came from, its subagents, its forks and its abandoned branches. */
import * as z from "zod";
import { PARENT_KINDS } from "../../../conversations/model.ts";
import type { Dex } from "../../../dex.ts";
import { resolveConversation, shortAddresses } from "../../../search/filters/resolve.ts";
import type { ConversationRow } from "../../../store/ports.ts";
import { defineOperation } from "../../operation.ts";

/** Of a tree. */
const MAX_DEPTH = 20;
const MAX_MEMBERS = 1000;

const member = z.object({
  id: z.string(),
  /** A unique prefix of the id. */
  address: z.string(),
  title: z.string(),
  source: z.string(),
  project: z.string(),
  created: z.string(),
  updated: z.string(),
  messages: z.number(),
  tokens: z.number(),
  /** How it came from its parent. `start`: it has none. */
  kind: z.enum(["start", ...PARENT_KINDS]),
  parent: z.string().optional(),
  /** Below the first conversation, which has 0. */
  depth: z.number(),
});

export const family = defineOperation({
  name: "dex_family",
  verb: "family",
  summary: "Show where a conversation came from, its subagents, forks and abandoned branches, as a tree",
  positionals: ["id"],
  input: z.strictObject({ id: z.string().max(500).describe("Conversation id or prefix") }),
  output: z.object({
    /** The conversation that was asked about. */
    id: z.string(),
    /** The whole tree, each parent before its children; children by time. */
    members: z.array(member),
    /** Members that are not listed, because there are too many. */
    left_out: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const row = resolveConversation(dex, input.id);
    const tree = treeOf(dex, firstOf(dex, row));
    const address = shortAddresses(dex);
    const members = tree.slice(0, MAX_MEMBERS).map(({ row: each, depth }) => ({
      id: each.id,
      address: address(each),
      title: each.title,
      source: each.source,
      project: each.project ?? "",
      created: new Date(each.created).toISOString(),
      updated: new Date(each.updated).toISOString(),
      messages: each.messages,
      tokens: each.tokens,
      kind: each.parent === null ? ("start" as const) : (each.parent_kind ?? "fork"),
      ...(each.parent === null ? {} : { parent: each.parent }),
      depth,
    }));
    return { id: row.id, members, left_out: tree.length - members.length };
  },
});

/** A parent that is not indexed ends the walk. */
function firstOf(dex: Dex, row: ConversationRow): ConversationRow {
  let first = row;
  const seen = new Set([row.id]);
  for (let depth = 0; depth < MAX_DEPTH && first.parent !== null; depth += 1) {
    const id = first.parent;
    const parent = dex.store.byPrefix(id, first.source).find((each) => each.id === id);
    if (!parent || seen.has(parent.id)) break;
    seen.add(parent.id);
    first = parent;
  }
  return first;
}

function treeOf(dex: Dex, first: ConversationRow): { row: ConversationRow; depth: number }[] {
  const seen = new Set<string>();
  const tree: { row: ConversationRow; depth: number }[] = [];
  const visit = (row: ConversationRow, depth: number): void => {
    if (seen.has(row.id)) return;
    seen.add(row.id);
    tree.push({ row, depth });
    if (depth >= MAX_DEPTH) return;
    const children = dex.store.children(row.id).filter(({ source }) => source === row.source);
    for (const child of children.sort((a, b) => a.created - b.created)) visit(child, depth + 1);
  };
  visit(first, 0);
  return tree;
}
