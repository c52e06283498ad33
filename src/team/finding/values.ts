/** Values of the server's rows in the types that dex uses. */
import { DamagedBlock } from "../../ranking/terms/damage.ts";

export function number(value: unknown): number {
  return Number(value ?? 0);
}

export function text(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Copies the bytes, because the driver's pieces share one buffer with the whole answer. */
export function bytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : new Uint8Array();
}

export function words(value: unknown): Uint32Array {
  const copy = bytes(value);
  if (copy.byteLength % 4 !== 0) throw new DamagedBlock("a table of numbers ends inside one");
  return new Uint32Array(copy.buffer, 0, copy.byteLength / 4);
}
