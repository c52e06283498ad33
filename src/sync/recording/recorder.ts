/**
 * Records new messages from readers: first in the archive, then in the index.
 *
 * Messages are compared with the stored ones, one by one, so a source may always deliver a whole conversation; writing
 * starts at the first difference. A conversation that comes back truncated keeps its archived end, and one whose first
 * messages the agent has dropped keeps them: agents truncate their history, dex does not.
 *
 * A message whose usage became known, or changed, is still the same message. dex writes it again with everything after
 * it (the archive only grows), also the archived end that the source no longer has.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import { defined } from "../../kernel/defined.ts";
import { REDACTION_RULES } from "../../redact/rules_hash.ts";
import {
  type ArchiveBlock,
  archivePath,
  archiveSize,
  readMessages,
  SegmentWriter,
} from "../../store/archive/archive.ts";
import { encodeFrame } from "../../store/archive/frames.ts";
import type { IndexWriter, MessageDigest } from "../../store/index_writer.ts";
import type { ConversationRow } from "../../store/ports.ts";
import type { ReadEvent } from "../reading/events.ts";
import { adoptArchived } from "../rebuild.ts";
import { Digester, type FactDigest, lineHashes, type MessageHashes } from "./digest.ts";
import { droppedMessages, isKnown } from "./known_messages.ts";
import { LineBuffer } from "./line_buffer.ts";
import { TextCursor } from "./message_texts.ts";

const NEWLINE = 0x0a;
const decoder = new TextDecoder();

type ReadBlock = Pick<Extract<ReadEvent, { type: "block" }>, "lines" | "texts" | "facts">;
export type RecordingOutcome = "new" | "updated" | "unchanged";

/** Where a recorder writes, and the rules that have redacted all that it is given. */
interface RecorderPlaces {
  archive: string;
  model?: string;
  redactedWith?: string | undefined;
}

export class Recorder {
  readonly #writer: IndexWriter;
  readonly #archive: string;
  readonly #digester: Digester;
  readonly #redactedWith: string | undefined;

  constructor(writer: IndexWriter, places: RecorderPlaces) {
    this.#writer = writer;
    this.#archive = places.archive;
    this.#redactedWith = places.redactedWith ?? REDACTION_RULES;
    this.#digester = new Digester(places.model);
    writer.setModel(this.#digester.model);
  }

  open(meta: ConversationMeta, from: number, family: string | undefined, fallbackTime: number): Recording {
    const known = family ? { ...meta, family } : meta;
    const places = { archive: this.#archive, redactedWith: this.#redactedWith };
    return new Recording(this.#writer, places, this.#digester, known, from, fallbackTime);
  }

  /**
   * Removes an abandoned branch whose messages are in its conversation again. The file goes first: after a kill the
   * container is read again, and finds the row.
   */
  remove(source: string, id: string): void {
    const row = this.#writer.find(source, id);
    if (row?.parent_kind !== "abandoned") return;
    rmSync(join(this.#archive, row.archive), { force: true });
    this.#writer.remove(row.no);
  }
}

export class Recording {
  readonly #writer: IndexWriter;
  readonly #archive: string;
  readonly #digester: Digester;
  readonly #fallbackTime: number;
  readonly #from: number;
  #meta: ConversationMeta;
  #row: ConversationRow | undefined;
  #no: number | undefined;
  #path: string | undefined;
  #stored: MessageHashes[] = [];
  #matched = 0;
  /** Set while the usage is the only difference from the stored messages: the positions of the stored messages. */
  #completing: readonly ArchiveBlock[] | undefined;
  #segment: SegmentWriter | undefined;
  #next = 0;
  /** Undefined as soon as archived messages are copied into the segment: older rules may have redacted them. */
  #redactedWith: string | undefined;
  /** Messages that the source no longer has at its start; undefined if it was not read from there. */
  dropped: number | undefined;
  /** The source continues beyond the stored messages: the container must be read from the start. */
  readonly gap: boolean;

  constructor(
    writer: IndexWriter,
    { archive, redactedWith }: RecorderPlaces,
    digester: Digester,
    meta: ConversationMeta,
    from: number,
    fallbackTime: number,
  ) {
    this.#digester = digester;
    this.#writer = writer;
    this.#archive = archive;
    this.#redactedWith = redactedWith;
    this.#meta = meta;
    this.#from = from;
    this.#fallbackTime = fallbackTime;
    this.#attach(writer.find(meta.source, meta.id));
    this.gap = from > (this.#row?.messages ?? 0);
  }

  block({ lines, texts, facts: unhashed }: ReadBlock): void {
    const cursor = new TextCursor(texts);
    const facts = withHashes(unhashed, lines);
    if (this.#no === undefined) this.#begin(facts[0]?.time ?? null);
    if (this.#segment) {
      this.#write(lines, facts, cursor);
      return;
    }
    if (this.#matched === 0 && this.#from === 0) {
      this.dropped = droppedMessages(this.#stored, facts);
      this.#matched = this.dropped;
    }
    let same = 0;
    while (same < facts.length && isKnown(this.#stored[this.#matched + same], facts[same])) same += 1;
    this.#matched += same;
    if (same === facts.length) return;
    if (this.#stored[this.#matched]?.hash === facts[same]?.hash)
      this.#completing = this.#writer.blocks(this.#no as number);
    this.#startSegment(this.#from + this.#matched);
    cursor.skip(same);
    this.#write(withoutFirst(lines, same), facts.slice(same), cursor);
  }

  close(final: ConversationMeta): RecordingOutcome {
    if (this.#no === undefined || this.#path === undefined) return "unchanged";
    const before = this.#row ? this.#writer.storedMeta(this.#no) : undefined;
    const meta = { ...before, ...defined(this.#meta), ...defined(final) };
    if (!this.#segment) {
      if (before && sameMeta(before, meta)) return "unchanged";
      this.#startSegment(this.#row?.messages ?? 0);
    }
    this.#keepArchivedEnd();
    const archiveBytes = this.#segment?.end(meta, this.#redactedWith) ?? 0;
    this.#segment = undefined;
    const entry = { meta, archive: this.#path, archiveBytes };
    this.#writer.finish(this.#no, entry, this.#digester.title(meta.title));
    return this.#row ? "updated" : "new";
  }

  /** Discards a failed recording. */
  abandon(): void {
    if (!this.#segment) return;
    this.#segment.abandon();
    this.#segment = undefined;
    if (this.#row) adoptArchived(this.#writer, this.#digester, this.#archive, this.#row.archive, this.#row.no);
    else if (this.#no !== undefined) this.#writer.remove(this.#no);
  }

  #attach(row: ConversationRow | undefined): void {
    let known = row;
    if (known && archiveSize(this.#archive, known.archive) !== known.archive_bytes) {
      known = adoptArchived(this.#writer, this.#digester, this.#archive, known.archive, known.no);
    }
    if (!known) return;
    this.#row = known;
    this.#no = known.no;
    this.#path = known.archive;
    this.#stored = this.#writer.hashes(known.no, this.#from);
  }

  /** First block of a conversation that is not indexed; a killed sync may have left its archive file. */
  #begin(firstTime: number | null): void {
    const month = new Date(firstTime ?? (Date.parse(this.#meta.created ?? "") || this.#fallbackTime));
    const path = archivePath(this.#meta, month.toISOString().slice(0, 7));
    if (archiveSize(this.#archive, path) !== undefined) {
      this.#attach(adoptArchived(this.#writer, this.#digester, this.#archive, path, undefined));
    }
    this.#path ??= path;
    this.#no ??= this.#writer.newNo();
  }

  #startSegment(from: number): void {
    const { source, id } = this.#meta;
    // After a kill this header is the latest metadata, so it must include the earlier metadata.
    const before = this.#row ? this.#writer.storedMeta(this.#row.no) : undefined;
    const conversation = { ...before, ...defined(this.#meta), source, id };
    const header = { dex: 1 as const, from, conversation };
    this.#segment = new SegmentWriter(this.#archive, this.#path as string, this.#row?.archive_bytes ?? 0, header);
    this.#next = from;
    if (this.#row && from < this.#row.messages) this.#writer.cutFrom(this.#row.no, from);
  }

  #write(lines: Uint8Array, facts: readonly HashedFacts[], texts: TextCursor): void {
    const same = this.#completing ? this.#sameAsStored(facts) : 0;
    // The source no longer has a usage that the archive has.
    if (this.#completing && facts.some((each, i) => i < same && this.#losesUsage(each, i))) {
      this.#rewrite(this.#completing, same, lines);
      texts.skip(same);
      if (same < facts.length) this.#write(withoutFirst(lines, same), facts.slice(same), texts);
      return;
    }
    if (same < facts.length) this.#completing = undefined;
    this.#append(
      lines,
      facts.map((each) => ({ ...each, ...this.#digester.texts(texts) })),
    );
  }

  /** The number of the next messages that equal the stored ones. */
  #sameAsStored(facts: readonly HashedFacts[]): number {
    const from = this.#next - this.#from;
    const first = facts.findIndex(({ hash }, i) => this.#stored[from + i]?.hash !== hash);
    return first < 0 ? facts.length : first;
  }

  #losesUsage({ usage_hash }: MessageHashes, i: number): boolean {
    return usage_hash === 0 && this.#stored[this.#next - this.#from + i]?.usage_hash !== 0;
  }

  /** Copies the next messages from the archive, but takes the usage from `lines` where they have one. */
  #rewrite(blocks: readonly ArchiveBlock[], count: number, lines?: Uint8Array): void {
    this.#redactedWith = undefined;
    const given = lines === undefined ? [] : decoder.decode(lines).split("\n");
    const stored = [...readMessages(this.#archive, this.#path as string, blocks, this.#next, this.#next + count)];
    const messages = stored.map(({ message }, i): Message => {
      const line = given[i];
      const found = line === undefined ? undefined : (JSON.parse(line) as Message);
      return found?.usage === undefined ? message : found;
    });
    const buffer = new LineBuffer();
    const digests = messages.map((message) => this.#digester.digest(message, buffer.add(JSON.stringify(message))));
    this.#append(buffer.take(), digests);
  }

  /** Keeps the archived messages beyond the source's end, if the source has only added usage to those before. */
  #keepArchivedEnd(): void {
    if (!this.#completing) return;
    for (const { first, count } of this.#completing) {
      const end = first + count;
      if (end > this.#next) this.#rewrite(this.#completing, end - this.#next);
    }
  }

  #append(lines: Uint8Array, digests: readonly MessageDigest[]): void {
    const segment = this.#segment as SegmentWriter;
    const position = segment.messages(encodeFrame("messages", lines, digests.length));
    const { analyser } = this.#digester;
    this.#writer.addBlock(
      this.#no as number,
      { first: this.#next, count: digests.length, ...position },
      digests,
      analyser.terms,
    );
    analyser.trim();
    this.#next += digests.length;
  }
}

type HashedFacts = FactDigest & MessageHashes;

/** `lines`: the messages' lines, each with its newline. */
function withHashes(facts: readonly FactDigest[], lines: Uint8Array<ArrayBuffer>): HashedFacts[] {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  let start = 0;
  return facts.map((each) => {
    const end = bytes.indexOf(NEWLINE, start);
    const line = bytes.subarray(start, end);
    start = end + 1;
    return { ...each, ...lineHashes(line, each.usage_bytes) };
  });
}

function withoutFirst(lines: Uint8Array, count: number): Uint8Array {
  let start = 0;
  for (let i = 0; i < count; i += 1) start = lines.indexOf(NEWLINE, start) + 1;
  return lines.subarray(start);
}

function sameMeta(a: ConversationMeta, b: ConversationMeta): boolean {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof ConversationMeta>;
  for (const field of fields) if (JSON.stringify(a[field]) !== JSON.stringify(b[field])) return false;
  return true;
}
