/**
 * A provider whose vectors are kept in a file: embedding the sets takes an hour, and their texts do not change. A text's
 * vector is found by a hash of the text.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import type { Provider } from "../../src/embedding/provider.ts";
import { quantise } from "../../src/vectors/quantise.ts";

/** `path` plus `.keys` and `.rows`. Rows are rounded as the index rounds them, so nothing is lost. */
export function cachedProvider(provider: Provider, path: string): Provider {
  const [keysFile, rowsFile] = [`${path}.keys`, `${path}.rows`];
  mkdirSync(dirname(path), { recursive: true });
  const keys = existsSync(keysFile) ? readFileSync(keysFile, "utf8").split("\n").slice(0, -1) : [];
  const rows = existsSync(rowsFile) ? readFileSync(rowsFile) : Buffer.alloc(0);
  const { dims } = provider;
  const known = new Map<string, Float32Array | undefined>();
  for (const [i, key] of keys.slice(0, Math.floor(rows.length / dims)).entries()) {
    const row = new Int8Array(rows.buffer, rows.byteOffset + i * dims, dims);
    known.set(key, row.some((value) => value !== 0) ? Float32Array.from(row) : undefined);
  }
  // A stopped run may have written one file and not the other.
  if (known.size !== keys.length || rows.length !== keys.length * dims) {
    if (existsSync(rowsFile)) truncateSync(rowsFile, known.size * dims);
    if (existsSync(keysFile)) truncateSync(keysFile, keys.slice(0, known.size).join("\n").length + 1);
  }
  return {
    ...provider,
    embed: async (texts, signal) => {
      const hashes = texts.map(hashOf);
      const missing = [...hashes.keys()].filter((i) => !known.has(hashes[i] as string));
      const made = await provider.embed(
        missing.map((i) => texts[i] as string),
        signal,
      );
      for (const [at, i] of missing.entries()) {
        const row = new Int8Array(dims);
        const vector = made[at];
        if (vector) quantise(vector, dims, row, 0);
        known.set(hashes[i] as string, vector && Float32Array.from(row));
        appendFileSync(rowsFile, new Uint8Array(row.buffer));
        appendFileSync(keysFile, `${hashes[i]}\n`);
      }
      return hashes.map((hash) => known.get(hash));
    },
  };
}

function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 16);
}
