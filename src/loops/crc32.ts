/** CRC-32 of what the index stores. `node:zlib` has it too, but takes longer to load than a hook needs for all of them. */
import { CRC_TABLE_WORDS, Loops } from "./loops.ts";

const CHUNK = 1 << 15;

let state: { run: Loops["run"]; chunk: Uint8Array; tableAt: number } | undefined;

/** `before`: the CRC-32 of the bytes that came before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  state ??= prepared();
  const { run, chunk, tableAt } = state;
  let sum = before;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const part = bytes.subarray(at, at + CHUNK);
    chunk.set(part);
    sum = run.crc32(chunk.byteOffset, chunk.byteOffset + part.length, tableAt, sum);
  }
  return sum >>> 0;
}

function prepared(): NonNullable<typeof state> {
  const loops = new Loops([CHUNK, CRC_TABLE_WORDS * 4]);
  const chunk = loops.bytes(CHUNK);
  const { byteOffset: tableAt } = loops.words(CRC_TABLE_WORDS);
  loops.run.makeCrcTable(tableAt);
  return { run: loops.run, chunk, tableAt };
}
