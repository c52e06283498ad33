/** Resolves an id, a prefix or an address to a conversation or message. An ambiguous one is refused. */
import { type Address, parseAddress } from "../../conversations/address.ts";
import { checkIndex } from "../../conversations/ranges.ts";
import type { Dex } from "../../dex.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural, sharedPrefixLength } from "../../kernel/text.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import type { ConversationRow, TeamOrigin } from "../../store/ports.ts";

const MIN_PREFIX_CHARS = 4;
const SHOWN_CANDIDATES = 8;

/** Separates the id from the member, if several members of the team have the same conversation. */
const OWNER_MARK = "@";
const MAX_SAME_ID = 200;

export function resolveConversation(dex: Dex, typed: string | Address): ConversationRow {
  const address = typeof typed === "string" ? parseAddress(typed) : typed;
  const { id, rows } = matching(dex.store, address);
  const [first] = rows;
  if (!first) throw unknown(dex, address);
  const exact = first.id === id;
  if (!exact && id.length < MIN_PREFIX_CHARS) {
    throw new DexError("short_id", `"${id}" is too short to name a conversation.`, {
      hint: `Give at least ${MIN_PREFIX_CHARS} characters of the id; \`dex list\` shows them.`,
    });
  }
  if (rows.length === 1) return first;
  const shown = rows.slice(0, SHOWN_CANDIDATES).map((row) => `  ${withOwner(rows, row)}  ${row.title}`);
  if (rows.length > SHOWN_CANDIDATES) shown.push("  …");
  const hint = exact ? "Use one of these addresses." : "Give more characters of the id.";
  throw new DexError("ambiguous_id", `"${address.id}" could be any of these:\n${shown.join("\n")}`, { hint });
}

type Finder = Pick<IndexReader, "byPrefix">;

/** The conversations that an address may mean, and its id without the member. */
export function matching(store: Finder, { id, source }: Address): { id: string; rows: ConversationRow[] } {
  const rows = store.byPrefix(id, source, SHOWN_CANDIDATES + 1);
  if (rows.length > 0) return { id, rows: rows.filter((row) => !row.team || !hasOwn(rows, row)) };
  for (let at = id.indexOf(OWNER_MARK, 1); at > 0; at = id.indexOf(OWNER_MARK, at + 1)) {
    const [bare, owner] = [id.slice(0, at), id.slice(at + 1)];
    const theirs = store
      .byPrefix(bare, source, MAX_SAME_ID)
      .filter(({ team }) => team && (inAddress(team.owner) === owner || inAddress(team.machine) === owner));
    if (theirs.length > 0) return { id: bare, rows: theirs };
  }
  return { id, rows: [] };
}

/** Replaces spaces, which addresses may not contain. */
function inAddress(name: string): string {
  return name.replace(/[^\p{L}\p{N}._@-]/gu, "_");
}

/**
 * Whether this home has the conversation, which then wins over copies that others pushed: nobody can take its address.
 */
function hasOwn(rows: readonly ConversationRow[], { id, source }: ConversationRow): boolean {
  return rows.some((row) => !row.team && row.id === id && row.source === source);
}

/** `source:id`, plus the member if others have the same conversation, or the machine if one member has it twice. */
function withOwner(rows: readonly ConversationRow[], { id, source, team }: ConversationRow): string {
  const address = `${source}:${id}`;
  const others = rows.filter((row) => row.id === id && row.source === source);
  if (!team || others.length < 2) return address;
  const isTwice = others.filter((row) => row.team?.owner === team.owner).length > 1;
  return `${address}${OWNER_MARK}${inAddress(isTwice ? team.machine : team.owner)}`;
}

/** A conversation, and the message index if the address has one; the index is checked. */
export function resolveAddress(dex: Dex, typed: string): { row: ConversationRow; index?: number } {
  const address = parseAddress(typed);
  const row = resolveConversation(dex, address);
  if (address.index === undefined) return { row };
  checkIndex(address.index, row.messages);
  return { row, index: address.index };
}

/** `id#index`, with the index required and checked. */
export function resolveMessage(dex: Dex, typed: string): { row: ConversationRow; index: number } {
  const { row, index } = resolveAddress(dex, typed);
  if (index === undefined) {
    throw new DexError("bad_address", `"${typed}" names a conversation, not a message.`, {
      hint: `Add the message's index: ${typed}#0 is the first of ${plural(row.messages, "message")}.`,
    });
  }
  return { row, index };
}

const MIN_ADDRESS_CHARS = 8;
/** Extra characters beyond the unique prefix, to keep it unique among later conversations. */
const MARGIN_CHARS = 2;

/** Short addresses for texts that list many conversations: the unique prefix of an id. */
export function shortAddresses(
  dex: Dex,
): (row: Pick<ConversationRow, "id" | "source"> & { team?: TeamOrigin | undefined }) => string {
  return (row) => {
    const { id } = row;
    const { same, before, after } = dex.store.idNeighbours(id);
    if (same > 1) return fullAddress(dex, row);
    // A prefix that neither neighbour in sort order has is unique.
    const shared = Math.max(sharedPrefixLength(id, before), sharedPrefixLength(id, after));
    const length = shared < MIN_ADDRESS_CHARS ? MIN_ADDRESS_CHARS : shared + 1 + MARGIN_CHARS;
    return length < id.length ? id.slice(0, length).replace(/-$/, "") : id;
  };
}

/** The full address, with the member if others have the same conversation. */
export function fullAddress(
  dex: Dex,
  { id, source, team }: Pick<ConversationRow, "id" | "source"> & { team?: TeamOrigin | undefined },
): string {
  const rows = team ? dex.store.byPrefix(id, source, MAX_SAME_ID) : [];
  const row = rows.find((each) => each.team?.owner === team?.owner && each.team?.machine === team?.machine);
  return row ? withOwner(rows, row) : `${source}:${id}`;
}

function unknown(dex: Dex, address: Address): DexError {
  const ids = dex.store.ids();
  const total = ids.length === 0 ? "Nothing is indexed yet: run `dex sync`." : "`dex list` and `dex search` show ids.";
  const where = address.source ? ` of ${address.source}` : "";
  return unknownName({
    code: "unknown_id",
    sentence: `There is no conversation "${address.id}"${where}.`,
    typed: address.id,
    names: ids.map(({ id }) => id.slice(0, Math.max(address.id.length, MIN_PREFIX_CHARS))),
    hint: total,
    alwaysHint: true,
  });
}
