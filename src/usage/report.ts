/** Usage by day, project, model and so on. */
import { compareText } from "../kernel/text.ts";
import type { IndexReader } from "../store/index_reader.ts";
import type { ConversationFilter, ConversationRow } from "../store/ports.ts";
import type { TextRow, UsageRow } from "../store/usage.ts";
import { type Amount, costOf, Sum } from "./amounts.ts";
import type { Prices } from "./prices.ts";
import { weekOf, type Zone } from "./zone.ts";

export const GROUPINGS = [
  "day",
  "week",
  "month",
  "project",
  "agent",
  "model",
  "conversation",
  "branch",
  "total",
] as const;
export type Grouping = (typeof GROUPINGS)[number];

const TIMES: ReadonlySet<Grouping> = new Set(["day", "week", "month"]);

export interface UsageQuery {
  by: Grouping;
  filter: ConversationFilter;
  /** The first and the last day. */
  days: { since?: string; until?: string };
  /** Part of a model's name. */
  model?: string;
  /** Only these conversations. */
  nos?: ReadonlySet<number>;
  zone: Zone;
  prices: Prices;
}

export interface UsageGroup extends Amount {
  /** A day, a path, an agent, a model, or the id of a conversation. Empty if it is unknown. */
  name: string;
  /** Of a grouping by conversation or branch. */
  conversation?: ConversationRow;
  models: ModelAmount[];
}

export interface ModelAmount extends Amount {
  model: string;
}

export interface UsageReport {
  /** Times in their order, everything else by cost, then by tokens, the largest first. */
  groups: UsageGroup[];
  total: Amount;
  /** Agents with conversations whose tokens are only estimates, that with the most first. */
  estimated_agents: string[];
}

interface Group {
  /** Complete at the end: until then only the estimates. */
  sum: Sum;
  models: Map<string, Sum>;
}

export function reportUsage(store: IndexReader, query: UsageQuery): UsageReport {
  const { filter, zone, days, prices, nos } = query;
  const model = query.model?.toLowerCase();
  const isIn = ({ no, time }: { no: number; time: number }): boolean => {
    if (nos && !nos.has(no)) return false;
    if (days.since === undefined && days.until === undefined) return true;
    const day = zone.dayOf(time);
    return (days.since === undefined || day >= days.since) && (days.until === undefined || day <= days.until);
  };
  const conversations = new Map<number, ConversationRow | undefined>();
  const conversation = (no: number): ConversationRow | undefined => {
    if (!conversations.has(no)) conversations.set(no, store.byNo(no));
    return conversations.get(no);
  };
  const nameOf = naming(query, store, conversation);
  const groups = new Map<string, Group>();
  const groupOf = (row: UsageRow | TextRow): Group => {
    const name = nameOf(row);
    let group = groups.get(name);
    if (!group) {
      group = { sum: new Sum(), models: new Map() };
      groups.set(name, group);
    }
    return group;
  };
  for (const row of store.usage(filter)) {
    if (!isIn(row) || (model !== undefined && !row.model.toLowerCase().includes(model))) continue;
    const { models } = groupOf(row);
    let perModel = models.get(row.model);
    if (!perModel) {
      perModel = new Sum();
      models.set(row.model, perModel);
    }
    perModel.add(row, costOf(row, prices));
  }
  const estimates = new Map<string, number>();
  // The model of a conversation without recorded tokens is one name for many requests: not enough for a filter.
  if (model === undefined) {
    for (const row of store.unrecorded(filter)) {
      if (!isIn(row)) continue;
      groupOf(row).sum.estimate(row);
      const agent = conversation(row.no)?.source ?? "";
      estimates.set(agent, (estimates.get(agent) ?? 0) + row.input + row.output);
    }
  }
  const total = new Sum();
  for (const { sum, models } of groups.values()) {
    for (const perModel of models.values()) sum.include(perModel);
    total.include(sum);
  }
  const agents = [...estimates].sort(([one, its], [other, count]) => count - its || compareText(one, other));
  return {
    groups: finished(query, groups, conversation),
    total: total.amount(),
    estimated_agents: agents.map(([agent]) => agent),
  };
}

function naming(
  { by, zone }: UsageQuery,
  store: IndexReader,
  conversation: (no: number) => ConversationRow | undefined,
): (row: UsageRow | TextRow) => string {
  if (by === "total") return () => "";
  if (by === "day") return ({ time }) => zone.dayOf(time);
  if (by === "week") return ({ time }) => weekOf(zone.dayOf(time));
  if (by === "month") return ({ time }) => zone.dayOf(time).slice(0, 7);
  if (by === "model") return (row) => ("model" in row ? row.model : (conversation(row.no)?.model ?? ""));
  if (by === "agent") return ({ no }) => conversation(no)?.source ?? "";
  if (by === "project") return ({ no }) => conversation(no)?.project ?? "";
  if (by === "conversation") return ({ no }) => String(no);
  return branches(store, conversation);
}

/** Deeper chains of subagents are not followed. */
const MAX_DEPTH = 50;

/** The number of the conversation at the root of a branch of subagents. */
function branches(
  store: IndexReader,
  conversation: (no: number) => ConversationRow | undefined,
): (row: { no: number }) => string {
  const roots = new Map<number, number>();
  const rootOf = (no: number, depth: number): number => {
    const known = roots.get(no);
    if (known !== undefined) return known;
    const row = conversation(no);
    const parent =
      row?.parent && row.parent_kind === "subagent" && depth < MAX_DEPTH
        ? store.byPrefix(row.parent, row.source, 1).find(({ id }) => id === row.parent)
        : undefined;
    const root = parent && parent.no !== no ? rootOf(parent.no, depth + 1) : no;
    roots.set(no, root);
    return root;
  };
  return ({ no }) => String(rootOf(no, 0));
}

function finished(
  { by }: UsageQuery,
  groups: ReadonlyMap<string, Group>,
  conversation: (no: number) => ConversationRow | undefined,
): UsageGroup[] {
  const isConversation = by === "conversation" || by === "branch";
  const list = [...groups].map(([key, { sum, models }]): UsageGroup => {
    const row = isConversation ? conversation(Number(key)) : undefined;
    const perModel = [...models].map(([model, each]) => ({ model, ...each.amount() }));
    const named = row ? { name: row.id, conversation: row } : { name: key };
    return { ...named, ...sum.amount(), models: perModel.sort(bySize(({ model }) => model)) };
  });
  return TIMES.has(by) ? list.sort((a, b) => compareText(a.name, b.name)) : list.sort(bySize(({ name }) => name));
}

function bySize<T extends Amount>(name: (amount: T) => string): (a: T, b: T) => number {
  const size = ({ tokens, estimated }: T): number => tokens.total + estimated.input + estimated.output;
  return (a, b) => b.cost_usd - a.cost_usd || size(b) - size(a) || compareText(name(a), name(b));
}
