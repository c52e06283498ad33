/** The part of a message that the index stores. A pure function of the archived message: a rebuild gives the same index. */
import { hash } from "node:crypto";
import { deriveCommits } from "../../conversations/activity/commits.ts";
import { deriveFiles } from "../../conversations/activity/derive.ts";
import { deriveShellRuns } from "../../conversations/activity/shell/shell_runs.ts";
import type { Message } from "../../conversations/model.ts";
import { headLine, measureMessage } from "../../conversations/render.ts";
import type { Usage } from "../../conversations/usage.ts";
import { MAX_WINDOWS, StaticEmbedder } from "../../embedding/static.ts";
import type { VectorModel } from "../../ranking/query.ts";
import type { MessageDigest, TitleDigest } from "../../store/index_writer.ts";
import type { RequestDigest } from "../../store/requests.ts";
import { Analyser } from "../../text/terms/analyser.ts";
import { WordOrder } from "../../text/terms/word_order.ts";
import { textOfUnits } from "../../text/units.ts";
import { CodeBuffer } from "../../vectors/quantise.ts";
import { type TextCursor, visitTexts } from "./message_texts.ts";

/** The part of a digest that needs a model, and an analyser with a large cache: only one thread has them. */
type TextDigest = Pick<MessageDigest, "length" | "terms" | "order" | "vectors">;
/** The hashes by which a message is recognised when it is read again. */
export type MessageHashes = Pick<MessageDigest, "hash" | "usage_hash">;
/** The rest of a digest. */
export interface FactDigest extends Omit<MessageDigest, keyof TextDigest | keyof MessageHashes> {
  /** The length of the usage in the archived line, in UTF-8; 0 without usage. */
  usage_bytes: number;
}

/** Creates digests, whose terms are numbered by its analyser. */
export class Digester {
  readonly analyser: Analyser;
  readonly #embedder: StaticEmbedder | undefined;
  readonly #codes: CodeBuffer | undefined;
  readonly #titleOrder = new WordOrder();

  /** `model`: file of the static model; undefined: no vectors. `capacity`: how many terms the analyser remembers. */
  constructor(model: string | undefined, capacity?: number) {
    this.analyser = new Analyser(capacity, true);
    if (model === undefined) return;
    this.#embedder = new StaticEmbedder(model);
    this.#codes = new CodeBuffer(this.#embedder.dims, 64, false);
  }

  get model(): VectorModel | undefined {
    return this.#embedder && { name: this.#embedder.name, dims: this.#embedder.dims };
  }

  /** `line`: the archived line of the message in UTF-8. */
  digest(message: Message, line: Buffer): MessageDigest {
    visitTexts(message, (text, weight, isOrdered) => this.analyser.add(text, weight, isOrdered));
    const facts = factsOf(message);
    return { ...facts, ...hashes(message, line, facts.usage_bytes), ...this.#finish(dialogueText(message)) };
  }

  /** The digest of the cursor's next message. */
  texts(cursor: TextCursor): TextDigest {
    const embedded: string[] = [];
    cursor.next((units, weight, isOrdered, isEmbedded) => {
      this.analyser.addUnits(units, weight, isOrdered);
      if (isEmbedded && this.#embedder) embedded.push(textOfUnits(units));
    });
    return this.#finish(joined(embedded));
  }

  title(title: string | undefined): TitleDigest {
    const text = title ?? "";
    return { terms: this.analyser.words(text), order: this.#titleOrder.of(text), vectors: this.vectors(text) };
  }

  /** One row per window, for the first windows of the text. */
  vectors(text: string): Int8Array | undefined {
    if (!this.#embedder || !this.#codes || text === "") return undefined;
    this.#codes.clear();
    const windows = this.#embedder.encode(text, MAX_WINDOWS, this.#codes);
    return windows === 0 ? undefined : this.#codes.rows.slice(0, windows * this.#embedder.dims);
  }

  #finish(dialogue: string): TextDigest {
    const order = this.analyser.order();
    return { ...this.analyser.finish(), order, vectors: this.vectors(dialogue) };
  }
}

/** The facts of a message besides its words and hashes. */
export function factsOf(message: Message): FactDigest {
  const tokens = measureMessage(message);
  const runs = deriveShellRuns(message);
  return {
    role: message.role,
    time: message.time === undefined ? null : Date.parse(message.time),
    tokens: tokens.full,
    tokens_stripped: tokens.stripped,
    tokens_user: tokens.user_only,
    usage_bytes: message.usage === undefined ? 0 : Buffer.byteLength(JSON.stringify(message.usage)),
    head: headLine(message),
    files: deriveFiles(message),
    commits: deriveCommits(message),
    shell_calls: runs.calls.map(({ id, ...call }) => ({ ...call, call: callNumber(id) })),
    shell_results: runs.results.map(({ id, ...result }) => ({ ...result, call: callNumber(id) })),
    requests: message.usage === undefined ? [] : requestsOf(message.usage, message),
  };
}

/** The text of user and assistant, which gets vectors. */
export function dialogueText(message: Message): string {
  const texts: string[] = [];
  visitTexts(message, (text, _weight, _isOrdered, isEmbedded) => {
    if (isEmbedded) texts.push(text);
  });
  return joined(texts);
}

function joined(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] as string) : texts.join("\n");
}

function hashes(message: Message, line: Buffer, usageBytes: number): MessageHashes {
  const at = line.length - usageBytes - USAGE_KEY.length - 1;
  const isLast = usageBytes === 0 || (at > 0 && line.toString("utf8", at, at + USAGE_KEY.length) === USAGE_KEY);
  return lineHashes(isLast ? line : withUsageLast(message), usageBytes);
}

function withUsageLast({ usage, ...message }: Message): Buffer {
  return Buffer.from(JSON.stringify({ ...message, usage }));
}

const USAGE_KEY = ',"usage":';

/**
 * The hash is that of the line without its usage, which is its last member. A message whose usage became known later is
 * still the same message: an archive that was written before dex recorded usage is completed, not replaced.
 */
export function lineHashes(line: Buffer, usageBytes: number): MessageHashes {
  if (usageBytes === 0) return { hash: lineHash(line), usage_hash: 0 };
  const from = line.length - 1 - usageBytes;
  return {
    hash: hashWithout(line, from - USAGE_KEY.length),
    usage_hash: lineHash(line.subarray(from, line.length - 1)),
  };
}

/** The hash of the line as if it ended where its last member begins; the line is not copied for that. */
function hashWithout(line: Buffer, lastMemberAt: number): number {
  line[lastMemberAt] = CLOSING_BRACE;
  try {
    return lineHash(line.subarray(0, lastMemberAt + 1));
  } finally {
    line[lastMemberAt] = COMMA;
  }
}

const COMMA = 0x2c;
const CLOSING_BRACE = 0x7d;

function requestsOf(usage: readonly Usage[], { time, model }: Message): RequestDigest[] {
  return usage.map((each) => {
    const at = each.time ?? time;
    return {
      key: callNumber(each.id),
      time: at === undefined ? null : Date.parse(at),
      model: each.model ?? model ?? "",
      input: each.input ?? 0,
      cache_read: each.cache_read ?? 0,
      cache_write: each.cache_write ?? 0,
      cache_write_1h: each.cache_write_1h ?? 0,
      output: each.output ?? 0,
      reasoning: each.reasoning ?? 0,
      requests: each.requests ?? 1,
      cost: each.cost ?? null,
    };
  });
}

/** A number for the id that an agent gave a call or a request; 0 if it gave none. */
function callNumber(id: string | undefined): number {
  return id === undefined ? 0 : lineHash(id);
}

/** 48 bits: exact as a number, and enough to distinguish the messages of a conversation. */
function lineHash(line: string | Buffer): number {
  return Number.parseInt(hash("sha1", line, "hex").slice(0, 12), 16);
}
