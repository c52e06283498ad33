/**
 * Whether a file whose times changed has other content. A build, an editor or a checkout touches files without changing
 * them, and nobody wants to hear of those. The content of code is known to the code index by its hash; of other files
 * dex keeps hashes itself, of as many as it can read quickly when it begins.
 */
import { hash } from "node:crypto";
import { readContainedFile } from "../kernel/files/bounded_read.ts";

/** Larger files count as changed whenever they are touched. */
const MAX_FILE_BYTES = 8 << 20;
/** Read at the start, of files that the code index does not hold. */
const MAX_FIRST_BYTES = 32 << 20;
const MAX_FIRST_FILE_BYTES = 256 << 10;

export class KnownContent {
  readonly #root: string;
  readonly #hashes = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `indexed`: hashes that the code index has. */
  begin(files: readonly { path: string; size: number }[], indexed: ReadonlyMap<string, string>): void {
    let left = MAX_FIRST_BYTES;
    for (const { path, size } of files) {
      const known = indexed.get(path);
      if (known !== undefined) this.#hashes.set(path, known);
      if (known !== undefined || size > MAX_FIRST_FILE_BYTES || size > left) continue;
      left -= size;
      this.isOther(path);
    }
  }

  /** Whether the file differs from what was known of it; from then on, what it holds now is known. */
  isOther(path: string): boolean {
    const before = this.#hashes.get(path);
    const bytes = readContainedFile(this.#root, path, MAX_FILE_BYTES);
    if (bytes === undefined) {
      this.#hashes.delete(path);
      return true;
    }
    const now = hash("sha1", bytes, "hex");
    this.#hashes.set(path, now);
    return now !== before;
  }

  forget(path: string): void {
    this.#hashes.delete(path);
  }
}
