/** Describes a conversation for the head of its messages or for a list. */
import type { ParentKind } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { shortAddresses } from "../filters/resolve.ts";

/** Tokens of the line above a message: its index and role. */
export const HEAD_TOKENS = 5;
/** Tokens reserved for the truncation note. */
export const NOTES_TOKENS = 24;
const MAX_CHILDREN_LISTED = 20;
/** The most files and commits that are listed for one conversation. */
const MAX_LISTED = 50;

export interface ListedConversation {
  id: string;
  title: string;
  project: string;
  source: string;
  date: string;
  message_count: number;
  estimated_tokens: number;
  parent?: string;
  parent_kind?: ParentKind;
  origin?: "local" | "team";
  owner?: string;
  machine?: string;
  scope?: string;
}

export interface ConversationHead extends ListedConversation {
  /** The shortest safe prefix of the id that identifies the conversation. */
  address: string;
  children?: string[];
  children_count?: number;
  files?: string[];
  commits?: string[];
}

export function listed(row: ConversationRow): ListedConversation {
  return {
    id: row.id,
    title: row.title,
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    message_count: row.messages,
    estimated_tokens: row.tokens,
    ...parentOf(row),
    ...originOf(row),
  };
}

type OriginFields = Pick<ListedConversation, "origin" | "owner" | "machine" | "scope">;

/** Includes conversations of this home, if it has joined a team. */
export function originIn(home: IndexReader["home"], row: Pick<ConversationRow, "team">): OriginFields {
  return row.team || !home ? originOf(row) : { origin: "local", ...home };
}

/** Only for a conversation of another member: for this home's own, these fields add nothing. */
export function originOf({ team }: Pick<ConversationRow, "team">): OriginFields {
  return team ? { origin: "team", ...team } : {};
}

/** The fields of a search result that do not depend on the query. */
export function foundConversation(dex: Dex, row: ConversationRow, address: (row: ConversationRow) => string) {
  const { message_count: _, ...head } = listed(row);
  const children = dex.store.childCount(row.id);
  return {
    kind: "conversation" as const,
    ...head,
    ...originIn(dex.store.home, row),
    address: address(row),
    ...(children > 0 ? { children } : {}),
  };
}

export function parentOf({ parent, parent_kind }: ConversationRow): { parent?: string; parent_kind?: ParentKind } {
  if (parent === null) return {};
  return { parent, ...(parent_kind === null ? {} : { parent_kind }) };
}

/** The head above the messages. It counts against the budget, so each of its lists takes at most a twentieth. */
export function describeConversation(dex: Dex, row: ConversationRow, budget: number): ConversationHead {
  const files = dex.store.files(row.no).filter(({ how }) => how !== "mentioned");
  const paths = fit([...new Set(files.map(({ path }) => path))], budget / 20);
  const commits = fit(
    dex.store.commits(row.no).map(({ sha, subject }) => `${sha} ${subject}`),
    budget / 20,
  );
  const address = shortAddresses(dex);
  const children = dex.store.children(row.id).filter(({ source }) => source === row.source);
  const named = fit(children.slice(0, MAX_CHILDREN_LISTED).map(address), budget / 20);
  return {
    ...listed(row),
    address: address(row),
    ...(named.length > 0 ? { children: named, children_count: children.length } : {}),
    ...(paths.length > 0 ? { files: paths } : {}),
    ...(commits.length > 0 ? { commits } : {}),
  };
}

function fit(lines: string[], budget: number): string[] {
  const kept: string[] = [];
  let left = budget;
  for (const line of lines.slice(0, MAX_LISTED)) {
    left -= (estimateTokens(line) + 1) * BUDGET_MARGIN;
    if (left < 0) break;
    kept.push(line);
  }
  return kept;
}

/**
 * Whether a person directed the conversation. A subagent's user is its parent agent, and an abandoned branch had no
 * outcome.
 */
export function isTopLevel({ parent_kind }: ConversationRow): boolean {
  return parent_kind !== "subagent" && parent_kind !== "abandoned";
}
