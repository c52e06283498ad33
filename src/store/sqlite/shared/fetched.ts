/**
 * Keeps the parts that were fetched for questions within a limit: the least recently used ones are deleted. The lists
 * of segments and conversations are not such parts, because every question needs them.
 */
import { rmSync } from "node:fs";
import type { Prepare } from "../connection.ts";
import { archiveFile, type CachePlaces } from "./filling.ts";
import { groupOf } from "./rows.ts";

/** `term`: a block of terms; `absent`: a term that a segment does not have; `archive`: fetched blocks of a conversation. */
export type PartKind = "term" | "absent" | "group" | "detail" | "archive";

/** Bytes of a row in addition to its data. */
const ROW_BYTES = 50;
/** A trim deletes down to this share of the limit, so that not every question trims. */
const TRIMMED = 0.8;
/** Below this share of the limit nothing will be deleted soon, so uses are not recorded. */
const WATCHED = 0.5;
/** Parts of one step of a trim. */
const PARTS_PER_STEP = 500;

export class FetchedParts {
  readonly #prepare: Prepare;
  #question: number | undefined;
  readonly #touched = new Set<string>();

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  add(kind: PartKind, owner: number, part: string | number, bytes: number): void {
    this.#question ??= this.#last() + 1;
    this.#prepare(
      "INSERT INTO fetched (kind, owner, part, size, used) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET size = CASE kind WHEN 'archive' THEN size + excluded.size ELSE excluded.size END, used = excluded.used",
    ).run(kind, owner, String(part), bytes + ROW_BYTES, this.#question);
  }

  touch(kind: PartKind, owner: number, part: string | number): void {
    this.#touched.add(`${kind} ${owner} ${part}`);
  }

  get bytes(): number {
    return Number(this.#prepare("SELECT coalesce(sum(size), 0) n FROM fetched").get()?.n ?? 0);
  }

  /** Call it at the end of a question. Returns false if there is nothing to record or to delete. */
  isNear(maxBytes: number): boolean {
    if (this.bytes > maxBytes * WATCHED) return true;
    this.#touched.clear();
    this.#question = undefined;
    return false;
  }

  /** Runs in a transaction of the caller. Returns whether a part was deleted. */
  trim(places: CachePlaces, maxBytes: number): boolean {
    let { bytes } = this;
    this.#writeUses();
    this.#touched.clear();
    this.#question = undefined;
    if (bytes <= maxBytes) return false;
    while (bytes > maxBytes * TRIMMED) {
      const oldest = this.#prepare(
        "SELECT kind, owner, part, size FROM fetched ORDER BY used, kind, owner, part LIMIT ?",
      ).all(PARTS_PER_STEP);
      if (oldest.length === 0) break;
      for (const { kind, owner, part, size } of oldest) {
        if (bytes <= maxBytes * TRIMMED) break;
        this.#delete(places, kind as PartKind, Number(owner), String(part));
        bytes -= Number(size);
      }
    }
    return true;
  }

  #last(): number {
    return Number(this.#prepare("SELECT coalesce(max(used), 0) n FROM fetched").get()?.n ?? 0);
  }

  #writeUses(): void {
    const question = this.#question ?? this.#last() + 1;
    const update = this.#prepare("UPDATE fetched SET used = ? WHERE kind = ? AND owner = ? AND part = ?");
    for (const key of this.#touched) {
      const [kind = "", owner = "", ...part] = key.split(" ");
      update.run(question, kind, Number(owner), part.join(" "));
    }
  }

  #delete(places: CachePlaces, kind: PartKind, owner: number, part: string): void {
    this.#prepare("DELETE FROM fetched WHERE kind = ? AND owner = ? AND part = ?").run(kind, owner, part);
    if (kind === "term") {
      this.#prepare("DELETE FROM term_blocks WHERE segment = ? AND first = ?").run(owner, part);
      this.#prepare("DELETE FROM held_terms WHERE segment = ? AND first = ?").run(owner, part);
      this.#prepare("DELETE FROM held_segments WHERE segment = ?").run(owner);
    } else if (kind === "absent") {
      this.#prepare("DELETE FROM held_terms WHERE segment = ? AND term = ?").run(owner, part);
    } else if (kind === "group") {
      this.#prepare("DELETE FROM vector_rows WHERE id = ?").run(owner);
      this.#prepare("DELETE FROM held_segments WHERE segment = ?").run(groupOf(owner).segment);
    } else if (kind === "archive") {
      this.#prepare("DELETE FROM held_blocks WHERE no = ?").run(owner);
      rmSync(archiveFile(places, owner), { force: true });
    } else {
      this.#prepare("DELETE FROM held_details WHERE segment = ? AND first = ?").run(owner, Number(part));
    }
  }
}
