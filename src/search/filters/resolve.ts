/** Resolves an id, a prefix or an address to a conversation or message. An ambiguous one is refused. */

import { type Address, parseAddress } from "../../conversations/address.ts";
import { checkIndex } from "../../conversations/ranges.ts";
import type { Dex } from "../../dex.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural, sharedPrefixLength } from "../../kernel/text.ts";
import type { ConversationRow } from "../../store/ports.ts";

const MIN_PREFIX_CHARS = 4;
const SHOWN_CANDIDATES = 8;

export function resolveConversation(dex: Dex, typed: string | Address): ConversationRow {
  const address = typeof typed === "string" ? parseAddress(typed) : typed;
  const rows = dex.store.byPrefix(address.id, address.source, SHOWN_CANDIDATES + 1);
  const [first] = rows;
  if (!first) throw unknown(dex, address);
  const exact = first.id === address.id;
  if (!exact && address.id.length < MIN_PREFIX_CHARS) {
    throw new DexError("short_id", `"${address.id}" is too short to name a conversation.`, {
      hint: `Give at least ${MIN_PREFIX_CHARS} characters of the id; \`dex list\` shows them.`,
    });
  }
  if (rows.length === 1) return first;
  const shown = rows.slice(0, SHOWN_CANDIDATES).map((row) => `  ${row.source}:${row.id}  ${row.title}`);
  if (rows.length > SHOWN_CANDIDATES) shown.push("  …");
  throw new DexError("ambiguous_id", `"${address.id}" could be any of these:\n${shown.join("\n")}`, {
    hint: exact ? "Put the agent in front: source:id." : "Give more characters of the id.",
  });
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
export function shortAddresses(dex: Dex): (row: Pick<ConversationRow, "id" | "source">) => string {
  return ({ id, source }) => {
    const { same, before, after } = dex.store.idNeighbours(id);
    if (same > 1) return `${source}:${id}`;
    // A prefix that neither neighbour in sort order has is unique.
    const shared = Math.max(sharedPrefixLength(id, before), sharedPrefixLength(id, after));
    const length = shared < MIN_ADDRESS_CHARS ? MIN_ADDRESS_CHARS : shared + 1 + MARGIN_CHARS;
    return length < id.length ? id.slice(0, length).replace(/-$/, "") : id;
  };
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
