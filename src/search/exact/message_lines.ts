/** Archived messages of many conversations, for one search: each block is read and decompressed once. */
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import { searchableText } from "../../conversations/searchable.ts";
import type { Dex } from "../../dex.ts";
import { type ArchiveBlock, readBlock } from "../../store/archive/archive.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { damagedArchive } from "../messages.ts";

/** Decompressed bytes kept at a time. */
const MAX_KEPT_BYTES = 16 << 20;
const NEWLINE = 0x0a;

interface Lines {
  bytes: Buffer;
  /** Where each line begins, and where the last one ends. */
  starts: number[];
}

export class MessageLines {
  readonly #dex: Dex;
  readonly #blocks = new Map<number, ArchiveBlock[]>();
  readonly #lines = new Map<string, Lines>();
  #kept = 0;
  /** How many blocks were read: most of the time goes there. */
  blocksRead = 0;

  constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** The archived line as Latin-1, which is fast to make and enough to rule a text out. */
  rawLine(row: ConversationRow, index: number): string | undefined {
    return this.#line(row, index, "latin1");
  }

  message(row: ConversationRow, index: number): Message | undefined {
    const line = this.#line(row, index, "utf8");
    return line === undefined ? undefined : (JSON.parse(line) as Message);
  }

  /** As agents read it. */
  text(row: ConversationRow, index: number): string {
    const message = this.message(row, index);
    return message ? (renderMessage(message, "full") ?? "") : "";
  }

  /** As it is indexed: the parts, one after the other. */
  searchable(row: ConversationRow, index: number): string {
    return this.message(row, index)?.parts.map(searchableText).join("\n") ?? "";
  }

  #line(row: ConversationRow, index: number, encoding: "latin1" | "utf8"): string | undefined {
    // Blocks of a shared conversation may have to be fetched, so only the one is asked for that is read.
    const blocks = row.team ? this.#dex.store.blocks(row.no, index, index + 1) : this.#allBlocks(row);
    const block = blocks.find(({ first, count }) => index >= first && index < first + count);
    if (!block) return undefined;
    const { bytes, starts } = this.#linesOf(row, block);
    const start = starts[index - block.first];
    const end = starts[index - block.first + 1];
    return start === undefined || end === undefined ? undefined : bytes.toString(encoding, start, end - 1);
  }

  #allBlocks({ no }: ConversationRow): ArchiveBlock[] {
    const blocks = this.#blocks.get(no) ?? this.#dex.store.blocks(no);
    this.#blocks.set(no, blocks);
    return blocks;
  }

  #linesOf(row: ConversationRow, block: ArchiveBlock): Lines {
    const key = `${row.no}:${block.first}`;
    const kept = this.#lines.get(key);
    if (kept) return kept;
    this.blocksRead += 1;
    let bytes: Buffer;
    try {
      bytes = readBlock(this.#dex.archive, row.archive, block);
    } catch (error) {
      throw damagedArchive(row, error);
    }
    const starts = [0];
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
    const lines = { bytes, starts };
    if (this.#kept + bytes.length > MAX_KEPT_BYTES) {
      this.#lines.clear();
      this.#kept = 0;
    }
    this.#lines.set(key, lines);
    this.#kept += bytes.length;
    return lines;
  }
}
