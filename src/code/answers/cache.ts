/** Caches values derived from a whole store until the store changes. */
import type { CodeFileRow, CodeReader } from "../../store/code.ts";

export function cached<T>(make: (store: CodeReader) => T): (store: CodeReader) => T {
  const cache = new WeakMap<CodeReader, { version: number; value: T }>();
  return (store) => {
    const version = store.version();
    const known = cache.get(store);
    if (known?.version === version) return known.value;
    const value = make(store);
    cache.set(store, { version, value });
    return value;
  };
}

/** All files, by path. */
export const filesOf: (store: CodeReader) => readonly CodeFileRow[] = cached((store) => store.files());

export const namesOf: (store: CodeReader) => readonly string[] = cached((store) => store.names());
