/** Archived messages of many conversations, for one search: each block is read and decompressed once. */
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import { searchableText } from "../../conversations/texts/searchable.ts";
import type { Dex } from "../../dex.ts";
import type { ArchiveBlock } from "../../store/archive/archive.ts";
import type { BlockLines, FileStamps } from "../../store/archive/block_cache.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { damagedArchive, unlessDamaged } from "../messages.ts";

/** The most decompressed bytes that one search keeps at a time. */
const MAX_KEPT_BYTES = 16 << 20;
/** A search for a quoted text may read every block. Only so many of them may replace blocks in the shared cache. */
const MAX_CACHED_BLOCKS = 64;
/** Parsed messages of one search. Most are needed twice: to find the query as typed, and for the snippet. */
const MAX_PARSED = 64;
const MAX_PARSED_CHARS = 256 << 10;

export class MessageLines {
  readonly #dex: Dex;
  readonly #blocks = new Map<number, ArchiveBlock[]>();
  readonly #lines = new Map<string, BlockLines>();
  readonly #stamps: FileStamps = new Map();
  #kept = 0;
  readonly #parsed = new Map<string, Message>();
  /**
   * The number of blocks read, which take most of the time. Includes blocks cached by an earlier search, and blocks of
   * shared conversations that have yet to be fetched.
   */
  blocksRead = 0;

  constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** The archived line decoded as Latin-1, which is fast and enough to rule a text out. */
  rawLine(row: ConversationRow, index: number): string | undefined {
    return this.#line(row, index, "latin1");
  }

  message(row: ConversationRow, index: number): Message | undefined {
    const key = `${row.no}:${index}`;
    const known = this.#parsed.get(key);
    if (known) return known;
    const line = this.#line(row, index, "utf8");
    if (line === undefined) return undefined;
    const message = JSON.parse(line) as Message;
    if (this.#parsed.size < MAX_PARSED && line.length <= MAX_PARSED_CHARS) this.#parsed.set(key, message);
    return message;
  }

  /** The message as agents read it. */
  text(row: ConversationRow, index: number): string {
    const message = this.message(row, index);
    return message ? (renderMessage(message, "full") ?? "") : "";
  }

  /** The message as it is indexed: its parts one after the other. */
  searchable(row: ConversationRow, index: number): string {
    return this.message(row, index)?.parts.map(searchableText).join("\n") ?? "";
  }

  #line(row: ConversationRow, index: number, encoding: "latin1" | "utf8"): string | undefined {
    const block = this.#blockOf(row, index);
    if (!block) {
      this.blocksRead += 1;
      return undefined;
    }
    const found = unlessDamaged(this.#dex, () => this.#linesOf(row, block), undefined);
    if (!found) return undefined;
    const { bytes, starts } = found;
    const start = starts[index - block.first];
    const end = starts[index - block.first + 1];
    return start === undefined || end === undefined ? undefined : bytes.toString(encoding, start, end - 1);
  }

  /** Looks up a single block: a long conversation has hundreds, and those of a shared one may have to be fetched. */
  #blockOf({ no }: ConversationRow, index: number): ArchiveBlock | undefined {
    const known = this.#blocks.get(no) ?? [];
    const isIn = ({ first, count }: ArchiveBlock): boolean => index >= first && index < first + count;
    const block = known.find(isIn) ?? this.#dex.store.blocks(no, index, index + 1).find(isIn);
    if (block && !known.includes(block)) this.#blocks.set(no, [...known, block]);
    return block;
  }

  #linesOf(row: ConversationRow, block: ArchiveBlock): BlockLines {
    const key = `${row.no}:${block.first}`;
    const known = this.#lines.get(key);
    if (known) return known;
    this.blocksRead += 1;
    try {
      const lines = this.#dex.blocks.lines(row.archive, block, this.blocksRead <= MAX_CACHED_BLOCKS, this.#stamps);
      if (this.#kept + lines.bytes.length > MAX_KEPT_BYTES) {
        this.#lines.clear();
        this.#kept = 0;
      }
      this.#lines.set(key, lines);
      this.#kept += lines.bytes.length;
      return lines;
    } catch (error) {
      throw damagedArchive(row, error);
    }
  }
}
