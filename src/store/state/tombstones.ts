/**
 * A second list of the tombstones of forgotten conversations, outside state.db: `backups/forgotten.json`. Without them
 * a sync would restore a forgotten conversation, so they must survive the loss of state.db and of its copies. The file
 * contains agents' names and ids of conversations, no text.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { asArray, asObject, asString, parseJson } from "../../kernel/json.ts";
import { compareText } from "../../kernel/text.ts";

export interface Tombstone {
  source: string;
  id: string;
}

export function tombstoneFile(statePath: string): string {
  return join(dirname(statePath), "backups", "forgotten.json");
}

/** Empty if there is no list; undefined if it cannot be read. */
export function savedTombstones(statePath: string): Tombstone[] | undefined {
  let text: string;
  try {
    text = readFileSync(tombstoneFile(statePath), "utf8");
  } catch (error) {
    return systemCode(error) === "ENOENT" ? [] : undefined;
  }
  const value = parseJson(text);
  if (!Array.isArray(value)) return undefined;
  return asArray(value).flatMap((each) => {
    const source = asString(asObject(each).source);
    const id = asString(asObject(each).id);
    return source !== undefined && id !== undefined ? [{ source, id }] : [];
  });
}

/** Deduplicated, in one order. */
export function mergeTombstones(some: readonly Tombstone[], others: readonly Tombstone[]): Tombstone[] {
  const known = new Map([...some, ...others].map((each) => [`${each.source}\0${each.id}`, each]));
  return [...known.values()].sort((a, b) => compareText(a.source, b.source) || compareText(a.id, b.id));
}

/** Written only if it differs. */
export function saveTombstones(statePath: string, tombstones: readonly Tombstone[]): void {
  const saved = savedTombstones(statePath);
  if (saved !== undefined && JSON.stringify(saved) === JSON.stringify(tombstones)) return;
  writeFileAtomic(tombstoneFile(statePath), `${JSON.stringify(tombstones)}\n`);
}
