/** The stored orders of words, by the id of their message; a title's id is that of the title's slot. */
import { crc32 } from "../../../loops/crc32.ts";
import { SLOTS } from "../../../ranking/segment.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import type { Prepare } from "../connection.ts";

export function writeOrder(prepare: Prepare, no: number, slot: number, order: Uint16Array | undefined): void {
  if (!order) return;
  const codes = new Uint8Array(order.buffer, order.byteOffset, order.byteLength);
  prepare("INSERT OR REPLACE INTO word_orders (id, codes, checksum) VALUES (?, ?, ?)").run(
    no * SLOTS + slot,
    codes,
    crc32(codes),
  );
}

/** Undefined where the text has none. */
export function readOrder(prepare: Prepare, no: number, slot: number): Uint16Array | undefined {
  const codes = prepare("SELECT codes FROM word_orders WHERE id = ?").get(no * SLOTS + slot)?.codes;
  return codes instanceof Uint8Array ? orderIn(codes) : undefined;
}

/** The order in these bytes. */
export function orderIn(codes: Uint8Array): Uint16Array {
  if (codes.byteLength % 2 !== 0) throw new DamagedBlock("an order of words ends inside a word");
  // The bytes may begin at an odd address.
  const aligned = codes.byteOffset % 2 === 0 ? codes : codes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}

/** `from` and `to` are slots. */
export function deleteOrders(prepare: Prepare, no: number, from: number, to: number): void {
  prepare("DELETE FROM word_orders WHERE id >= ? AND id < ?").run(no * SLOTS + from, no * SLOTS + to);
}

/** Throws at the first order that differs from the written one. */
export function checkOrders(prepare: Prepare): void {
  for (const { codes, checksum } of prepare("SELECT codes, checksum FROM word_orders").iterate()) {
    if (!(codes instanceof Uint8Array) || crc32(codes) !== Number(checksum)) {
      throw new DamagedBlock("the checksum of an order of words does not match");
    }
  }
}
