/**
 * The cached part of a team's index, read like an index. It notes the parts that a question needs and the cache lacks.
 * Hooks load this file, so it imports no package.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Format } from "../../../conversations/render.ts";
import type { Catalogue, IndexedTexts } from "../../../ranking/ports.ts";
import { SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import type { ArchiveBlock } from "../../archive/archive.ts";
import type {
  ConversationFilter,
  ConversationRow,
  IndexTotals,
  MessageRow,
  MessageSizes,
  TeamOrigin,
} from "../../ports.ts";
import { type Misses, noMisses } from "../../shared/misses.ts";
import { ownersPlaceOf } from "../../shared/placing.ts";
import type { TrailReader } from "../../trails.ts";
import { conversationCatalogue } from "../index/catalogue.ts";
import { SqliteReader, TOKEN_COLUMNS } from "../index/reader.ts";
import { roleOf } from "../index/rows.ts";
import { orderIn } from "../index/word_orders.ts";
import { openRebuildable } from "../rebuildable.ts";
import { SharedDetails } from "./details.ts";
import { FetchedParts } from "./fetched.ts";
import { CACHE_FILE } from "./notes.ts";
import { SharedOwners } from "./owners.ts";
import { CACHE } from "./schema.ts";
import { CachedSource } from "./source.ts";

/**
 * The time of the last contact with the server, in milliseconds; and the names of the member who owns this home and of
 * this machine.
 */
export const CHECKED = "checked";
export const ME = "me";
export const MACHINE = "machine";

/**
 * The cache without any fetching, for hooks: only completely cached segments are searched. Undefined if there is no
 * cache, or if it was not checked since `checkedSince`.
 */
export function readCache(folder: string, checkedSince: number): SharedReader | undefined {
  const path = join(folder, CACHE_FILE);
  if (!existsSync(path)) return undefined;
  const { database } = openRebuildable(CACHE, path, "read");
  const reader = new SharedReader(database, true);
  const checked = reader.getValue(CHECKED);
  if (checked !== undefined && Number(checked) >= checkedSince) {
    reader.hideOwn();
    return reader;
  }
  reader.close();
  return undefined;
}

export class SharedReader extends SqliteReader {
  #misses = noMisses();
  #hidden: ReadonlySet<number> = new Set();
  #version = 1;
  protected readonly source: CachedSource;
  protected readonly fetched = new FetchedParts(this.prepare);
  protected readonly details = new SharedDetails(this.prepare, () => this.#misses, this.fetched);

  /** `wholeOnly`: searches only segments that are cached completely. */
  constructor(database: DatabaseSync, wholeOnly = false) {
    super(database);
    const state = { misses: () => this.#misses, hidden: () => this.#hidden, version: () => this.#version, wholeOnly };
    this.source = new CachedSource(this.prepare, state, this.fetched);
  }

  /** Call it after a write. */
  protected changed(): void {
    this.details.clear();
    this.#version += 1;
  }

  get misses(): Misses {
    return this.#misses;
  }

  /** Empties the list of missing parts. */
  clearMisses(): void {
    this.#misses = noMisses();
  }

  /** Leaves out conversations that this home has in its own index, and those that the server no longer has. */
  hide(isLocal: (source: string, id: string) => boolean): void {
    const own = this.prepare(
      "SELECT c.no, c.source, c.id FROM conversations c JOIN shared_conversations s ON s.no = c.no WHERE s.own = 1",
    ).all();
    const unknown = this.prepare(
      "SELECT no FROM shared_numbers WHERE no NOT IN (SELECT no FROM shared_conversations)",
    ).all();
    const hidden = new Set(unknown.map(({ no }) => Number(no)));
    for (const { no, source, id } of own) if (isLocal(String(source), String(id))) hidden.add(Number(no));
    this.#leaveOut(hidden);
  }

  /** Leaves out everything that this machine pushed, without looking at each conversation of this home. */
  hideOwn(): void {
    const pushed = this.prepare(
      "SELECT no FROM shared_numbers WHERE no NOT IN (SELECT no FROM shared_conversations WHERE own = 0 OR machine IS NOT ?)",
    ).all(this.getValue(MACHINE) ?? "");
    this.#leaveOut(new Set(pushed.map(({ no }) => Number(no))));
  }

  #leaveOut(hidden: ReadonlySet<number>): void {
    const same = hidden.size === this.#hidden.size && [...hidden].every((no) => this.#hidden.has(no));
    this.#hidden = hidden;
    if (!same) this.#version += 1;
  }

  override get texts(): IndexedTexts<ConversationFilter> {
    const catalogue = conversationCatalogue(this.prepare);
    const owners = new SharedOwners(this.prepare, (no) => catalogue.ownerOf(no));
    const shared: Catalogue<ConversationFilter> = {
      ...catalogue,
      ownerOf: (no) => owners.of(no, this.#version),
      passing: ({ owner, ...filter }) => {
        const passing = catalogue.passing(filter);
        if (owner === undefined) return passing;
        const theirs = new Set(
          this.prepare("SELECT no FROM shared_conversations WHERE owner = ?")
            .all(owner)
            .map(({ no }) => Number(no)),
        );
        return passing ? [...passing].filter((no) => theirs.has(no)) : theirs;
      },
      order: (no, slot) => this.wordOrder(no, slot),
    };
    return { source: this.source, catalogue: shared };
  }

  /** Without conversations that are hidden, and with their origins. */
  override get trail(): TrailReader {
    const { conversationsIn, conversation, commitsMade, touching } = super.trail;
    const isShown = ({ no }: { no: number }): boolean => !this.#hidden.has(no);
    return {
      conversationsIn: (roots, limit, updatedSince) =>
        this.#shown(conversationsIn(roots, limit + this.#hidden.size, updatedSince), limit),
      conversation: (no) => {
        const row = conversation(no);
        return row && this.#shown([row], 1)[0];
      },
      commitsMade: () => commitsMade().filter(isShown),
      touching: (paths) => touching(paths).filter(isShown),
      ownersPlace: (no) => {
        const scope = this.prepare("SELECT scope FROM shared_conversations WHERE no = ?").get(no)?.scope;
        const meta = scope === undefined ? undefined : this.storedMeta(no);
        return meta && ownersPlaceOf(meta, String(scope));
      },
    };
  }

  override byNo(no: number): ConversationRow | undefined {
    const row = super.byNo(no);
    return row && this.#shown([row], 1)[0];
  }

  override totals(): IndexTotals {
    const totals = super.totals();
    const hidden = [...this.#hidden].flatMap((no) => super.byNo(no) ?? []);
    const sources = { ...totals.sources };
    for (const { source } of hidden) sources[source] = (sources[source] ?? 0) - 1;
    return {
      ...totals,
      conversations: totals.conversations - hidden.length,
      messages: totals.messages - hidden.reduce((sum, { messages }) => sum + messages, 0),
      tokens: totals.tokens - hidden.reduce((sum, { tokens }) => sum + tokens, 0),
      sources,
    };
  }

  override list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[] {
    const { owner, ...others } = filter;
    // The latest conversations may all belong to other members.
    const most = owner === undefined ? limit + offset + this.#hidden.size : super.count({});
    const rows = this.#shown(super.list(others, most, 0));
    return rows.filter(({ team }) => owner === undefined || team?.owner === owner).slice(offset, offset + limit);
  }

  override count(filter: ConversationFilter): number {
    const passing = this.texts.catalogue.passing(filter);
    if (!passing) return super.count({}) - this.#hidden.size;
    return [...passing].filter((no) => !this.#hidden.has(no)).length;
  }

  override ids(): { source: string; id: string }[] {
    return this.prepare("SELECT no, source, id FROM conversations ORDER BY id")
      .all()
      .filter(({ no }) => !this.#hidden.has(Number(no)))
      .map(({ source, id }) => ({ source: String(source), id: String(id) }));
  }

  override idNeighbours(id: string): { same: number; before: string; after: string } {
    const found = super.idNeighbours(id);
    const numbers = this.prepare("SELECT no FROM conversations WHERE id = ?").all(id);
    return { ...found, same: numbers.filter(({ no }) => !this.#hidden.has(Number(no))).length };
  }

  protected override many(condition: string, limit: number, ...values: (string | number | null)[]): ConversationRow[] {
    return this.#shown(super.many(condition, limit + this.#hidden.size, ...values), limit);
  }

  /** The rows that are not hidden, with their origins. One statement for all: a hook asks for hundreds. */
  #shown<Row extends { no: number }>(rows: readonly Row[], limit?: number): (Row & { team?: TeamOrigin })[] {
    const shown = rows.filter(({ no }) => !this.#hidden.has(no)).slice(0, limit);
    const origins = this.prepare(
      "SELECT no, owner, machine, scope FROM shared_conversations WHERE no IN (SELECT value FROM json_each(?))",
    ).all(JSON.stringify(shown.map(({ no }) => no)));
    const found = new Map<number, TeamOrigin>();
    for (const { no, owner, machine, scope } of origins)
      found.set(Number(no), { owner: String(owner), machine: String(machine), scope: String(scope) });
    return shown.map((row) => {
      const team = found.get(row.no);
      return team ? { ...row, team } : row;
    });
  }

  override wordOrder(no: number, index: number): Uint16Array | undefined {
    // The word order of a title comes from the list of conversations.
    if (index === TITLE_SLOT) return super.wordOrder(no, index);
    const codes = this.details.order(no, index);
    return codes && orderIn(codes);
  }

  override messages(no: number, from = 0, to = SLOTS - 1): MessageRow[] {
    const rows = [...this.details.rows(no, from, Math.min(to, TITLE_SLOT))].sort(([a], [b]) => a - b);
    return rows.map(([index, [role, time, tokens, tokens_stripped, tokens_user, , head]]) => {
      return { index, role: roleOf(role), time, tokens, tokens_stripped, tokens_user, head };
    });
  }

  override sizes(no: number, format: Format, from: number, to: number): MessageSizes {
    const column = TOKEN_COLUMNS[format];
    const sizes = this.messages(no, from, to).flatMap((row) => (row[column] > 0 ? [row[column]] : []));
    return { messages: sizes.length, tokens: sizes.reduce((sum, tokens) => sum + tokens, 0) };
  }

  /** Only blocks whose bytes are here; the others are noted. */
  override blocks(no: number, from?: number, to?: number): ArchiveBlock[] {
    const held = this.prepare("SELECT 1 FROM held_blocks WHERE no = ? AND offset = ?");
    return super.blocks(no, from, to).filter(({ offset, length }) => {
      if (held.get(no, offset)) {
        this.fetched.touch("archive", no, "");
        return true;
      }
      const missing = this.#misses.blocks.get(no) ?? new Map<number, number>();
      this.#misses.blocks.set(no, missing.set(offset, length));
      return false;
    });
  }
}
