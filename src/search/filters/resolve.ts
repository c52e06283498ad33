/** From what a caller typed to the conversation that is meant; never a guess. */

import { type Address, parseAddress } from "../../conversations/address.ts";
import { checkIndex } from "../../conversations/ranges.ts";
import type { Dex } from "../../dex.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import type { ConversationRow } from "../../store/ports.ts";

const SHORTEST_PREFIX = 4;
const SHOWN_CANDIDATES = 8;

export function resolveConversation(dex: Dex, typed: string | Address): ConversationRow {
  const address = typeof typed === "string" ? parseAddress(typed) : typed;
  const rows = dex.store.byPrefix(address.id, address.source, SHOWN_CANDIDATES + 1);
  const [first] = rows;
  if (!first) throw unknown(dex, address);
  const exact = first.id === address.id;
  if (!exact && address.id.length < SHORTEST_PREFIX) {
    throw new DexError("short_id", `"${address.id}" is too short to name a conversation.`, {
      hint: `Give at least ${SHORTEST_PREFIX} characters of the id; \`dex list\` shows them.`,
    });
  }
  if (rows.length === 1) return first;
  const shown = rows.slice(0, SHOWN_CANDIDATES).map((row) => `  ${row.source}:${row.id}  ${row.title}`);
  if (rows.length > SHOWN_CANDIDATES) shown.push("  …");
  throw new DexError("ambiguous_id", `"${address.id}" could be any of these:\n${shown.join("\n")}`, {
    hint: exact ? "Put the agent in front: source:id." : "Give more characters of the id.",
  });
}

/** A conversation, and the message where the address names one, which is checked. */
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

const SHORT_ADDRESS = 8;
/** Beyond what tells it from the others now: conversations that come later should not make it ambiguous at once. */
const MARGIN = 2;

/** Addresses in few characters, for texts that name many: the beginning of an id that no other begins with. */
export function shortAddresses(dex: Dex): (row: Pick<ConversationRow, "id" | "source">) => string {
  return ({ id, source }) => {
    const { same, before, after } = dex.store.idNeighbours(id);
    if (same > 1) return `${source}:${id}`;
    // A prefix that neither neighbour has is the prefix of no other id.
    const shared = Math.max(sharedLength(id, before), sharedLength(id, after));
    const length = shared < SHORT_ADDRESS ? SHORT_ADDRESS : shared + 1 + MARGIN;
    return length < id.length ? id.slice(0, length).replace(/-$/, "") : id;
  };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function unknown(dex: Dex, address: Address): DexError {
  const ids = dex.store.ids();
  const total = ids.length === 0 ? "Nothing is indexed yet: run `dex sync`." : "`dex list` and `dex search` show ids.";
  const where = address.source ? ` of ${address.source}` : "";
  return unknownName({
    code: "unknown_id",
    sentence: `There is no conversation "${address.id}"${where}.`,
    typed: address.id,
    names: ids.map(({ id }) => id.slice(0, Math.max(address.id.length, SHORTEST_PREFIX))),
    hint: total,
    alwaysHint: true,
  });
}
