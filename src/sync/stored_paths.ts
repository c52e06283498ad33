/**
 * Finds a container in the index. Its path is stored as it is, unless it contains a secret: then it is redacted and
 * identified by a hash of the whole. If all its conversations are forgotten, only a hash of the path is stored. The lookup
 * works without redaction, because every command checks for changes and few go on to read anything.
 */
import { hash } from "node:crypto";
import type { Container } from "../integrations/history/source.ts";
import { concealedPath } from "../kernel/ids.ts";
import { containerKey } from "../store/engine/index.ts";

const HASHED = /#([0-9a-f]{12})$/;

/** Hashes UTF-16 code units: in UTF-8 all lone surrogates would be the same. */
export function shortHash(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "hex").slice(0, 12);
}

/** A server asks for the same containers at every check. */
const keys = new WeakMap<Container, string>();

export class StoredStamps {
  readonly #stamps: ReadonlyMap<string, string>;
  #hashed: Map<string, string> | undefined;

  constructor(stamps: ReadonlyMap<string, string>) {
    this.#stamps = stamps;
  }

  /** The stamp that the container had when it was last read; undefined for a new one. */
  of(container: Container): string | undefined {
    return this.#stamps.get(this.#keyOf(container));
  }

  /** The path under which it is stored. */
  path(container: Container): string {
    return this.#keyOf(container).slice(containerKey(container.source, "").length);
  }

  #keyOf(container: Container): string {
    const { source, path } = container;
    const key = keys.get(container) ?? containerKey(source, path);
    if (this.#stamps.has(key)) {
      keys.set(container, key);
      return key;
    }
    const concealed = containerKey(source, concealedPath(path));
    if (this.#stamps.has(concealed)) return concealed;
    if (this.#hashed === undefined) {
      this.#hashed = new Map();
      for (const each of this.#stamps.keys()) {
        const found = HASHED.exec(each)?.[1];
        if (found !== undefined) this.#hashed.set(found, each);
      }
    }
    if (this.#hashed.size === 0) return key;
    const hashed = this.#hashed.get(shortHash(path));
    return hashed?.startsWith(containerKey(source, "")) ? hashed : key;
  }
}
