/**
 * Detects whether a touched file has new content. Builds, editors and checkouts touch files without changing them. The
 * code index has hashes of code; hashes of other files are kept here, for as many as can be read quickly at the start.
 */
import { hash } from "node:crypto";
import { readContainedFile } from "../kernel/files/bounded_read.ts";

/** Larger files count as changed when they are touched. */
const MAX_FILE_BYTES = 8 << 20;
/** The most bytes that are read at the start, from files outside the code index. */
const MAX_FIRST_BYTES = 32 << 20;
const MAX_FIRST_FILE_BYTES = 256 << 10;

export class KnownContent {
  readonly #root: string;
  readonly #hashes = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `indexed`: hashes of the code index. */
  begin(files: readonly { path: string; size: number }[], indexed: ReadonlyMap<string, string>): void {
    let left = MAX_FIRST_BYTES;
    for (const { path, size } of files) {
      const known = indexed.get(path);
      if (known !== undefined) this.#hashes.set(path, known);
      if (known !== undefined || size > MAX_FIRST_FILE_BYTES || size > left) continue;
      left -= size;
      this.hasChanged(path);
    }
  }

  /** Whether the content differs from the stored hash; stores the new hash. */
  hasChanged(path: string): boolean {
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
