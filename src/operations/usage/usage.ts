/** `dex usage`: tokens and money by day, project, model and so on. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { resolveConversation } from "../../search/filters/resolve.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { PRICES_OF } from "../../usage/price_table.ts";
import { Prices } from "../../usage/prices.ts";
import { GROUPINGS, reportUsage, type UsageGroup } from "../../usage/report.ts";
import { defineOperation } from "../operation.ts";
import { limitField } from "../shared/fields.ts";
import { amountFields, spanOf, usageFilterFields } from "./fields.ts";

const modelAmount = z.object({ model: z.string(), ...amountFields });
const group = z.object({
  /** A day, the Monday of a week, a month, a path, an agent, a model, or an id. Empty if it is unknown. */
  name: z.string(),
  /** Of a conversation. */
  title: z.string().optional(),
  source: z.string().optional(),
  parent: z.string().optional(),
  /** In the tree of a conversation: 0 for the conversation that was asked for. */
  depth: z.number().optional(),
  ...amountFields,
  models: z.array(modelAmount).optional(),
});

export const usage = defineOperation({
  name: "dex_usage",
  verb: "usage",
  summary: "Show the tokens that agents used and what they cost, by day, project, model and more",
  positionals: ["by"],
  input: z.strictObject({
    by: z
      .enum(GROUPINGS)
      .optional()
      .describe("What a row counts (default day; a branch is a conversation with all its subagents)"),
    ...usageFilterFields,
    source: z.string().optional().describe("Agent: claude_code, codex, …"),
    model: z.string().max(200).optional().describe("Part of the model's name"),
    conversation: z.string().max(500).optional().describe("Only this conversation and its subagents, as a tree"),
    breakdown: z.boolean().default(false).describe("Split each row by model"),
    limit: limitField(100).describe("Maximum rows: the latest days, or the largest"),
  }),
  output: z.object({
    by: z.enum(GROUPINGS),
    timezone: z.string(),
    since: z.string().optional(),
    until: z.string().optional(),
    /** The day of the price table. */
    prices_of: z.string(),
    rows: z.array(group),
    /** Rows that the limit leaves out; `total` includes them. */
    left_out: z.number(),
    total: z.object(amountFields),
    /** Agents with conversations for which no tokens were recorded: theirs are estimates from the text. */
    estimated_agents: z.array(z.string()),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "usage",
  aliases: { since: ["from"], until: ["to"] },
  flags: { source: "agent" },
  run: (dex, input) => {
    const by = input.by ?? (input.conversation === undefined ? "day" : "conversation");
    const { zone, days, filter } = spanOf(dex, input);
    const tree = input.conversation === undefined ? undefined : treeOf(dex, input.conversation);
    const report = reportUsage(dex.store, {
      by,
      filter,
      days,
      zone,
      prices: new Prices(dex.settings.usage.prices),
      ...(input.model === undefined ? {} : { model: input.model }),
      ...(tree ? { nos: new Set(tree.keys()) } : {}),
    });
    const rows = tree && by === "conversation" ? inTree(report.groups, tree) : report.groups;
    const isTime = by === "day" || by === "week" || by === "month";
    const shown = isTime ? rows.slice(Math.max(0, rows.length - input.limit)) : rows.slice(0, input.limit);
    return {
      by,
      timezone: zone.name,
      ...days,
      prices_of: PRICES_OF,
      rows: shown.map((row) => rowOf(row, tree, input.breakdown)),
      left_out: rows.length - shown.length,
      total: report.total,
      estimated_agents: report.estimated_agents,
    };
  },
  isEmpty: ({ total }) => total.requests === 0 && total.estimated.conversations === 0,
});

type Tree = ReadonlyMap<number, { position: number; depth: number }>;

const MAX_MEMBERS = 10_000;

/** The conversation and its subagents by number, each parent before its children. */
function treeOf(dex: Dex, typed: string): Tree {
  const tree = new Map<number, { position: number; depth: number }>();
  const add = (row: ConversationRow, depth: number): void => {
    if (tree.has(row.no) || tree.size >= MAX_MEMBERS) return;
    tree.set(row.no, { position: tree.size, depth });
    for (const child of dex.store.children(row.id)) {
      if (child.source === row.source && child.parent_kind === "subagent") add(child, depth + 1);
    }
  };
  add(resolveConversation(dex, typed), 0);
  return tree;
}

function inTree(groups: readonly UsageGroup[], tree: Tree): UsageGroup[] {
  const position = ({ conversation }: UsageGroup): number => tree.get(conversation?.no ?? -1)?.position ?? 0;
  return [...groups].sort((a, b) => position(a) - position(b));
}

function rowOf(row: UsageGroup, tree: Tree | undefined, breakdown: boolean): z.output<typeof group> {
  const { conversation, models, ...amount } = row;
  const depth = conversation && tree?.get(conversation.no)?.depth;
  return {
    ...amount,
    ...(conversation ? { title: conversation.title, source: conversation.source } : {}),
    ...(conversation?.parent ? { parent: conversation.parent } : {}),
    ...(depth === undefined ? {} : { depth }),
    ...(breakdown ? { models } : {}),
  };
}
