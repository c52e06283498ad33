/** The part of a message that the index stores. A pure function of the archived message: a rebuild gives the same index. */
import { hash } from "node:crypto";
import { deriveCommits } from "../../conversations/activity/commits.ts";
import { deriveFiles } from "../../conversations/activity/derive.ts";
import { deriveShellRuns } from "../../conversations/activity/shell_runs.ts";
import type { Message, Part, Role } from "../../conversations/model.ts";
import { headLine, measureMessage } from "../../conversations/render.ts";
import { searchableText } from "../../conversations/searchable.ts";
import { MAX_WINDOWS, StaticEmbedder } from "../../embedding/static.ts";
import type { VectorModel } from "../../ranking/query.ts";
import { WEIGHT_UNIT } from "../../ranking/terms/postings.ts";
import type { MessageDigest, TitleDigest } from "../../store/index_writer.ts";
import type { RequestDigest } from "../../store/requests.ts";
import { Analyser } from "../../text/analyser.ts";
import { toolMark } from "../../text/marks.ts";
import { WordOrder } from "../../text/word_order.ts";
import { CodeBuffer } from "../../vectors/quantise.ts";

/** The part of a digest that needs an analyser, whose cache is large: one thread has it. */
export type WordDigest = Pick<MessageDigest, "length" | "terms" | "order">;
/** The rest of a digest: any thread can create it from the archived line. */
export type FactDigest = Omit<MessageDigest, keyof WordDigest>;

interface DigesterMemory {
  /** That of a digester with the same model in another thread. */
  modelMemory?: SharedArrayBuffer | undefined;
}

/** Creates digests, whose terms are numbered by its analyser. */
export class Digester {
  readonly analyser: Analyser;
  readonly #embedder: StaticEmbedder | undefined;
  readonly #codes: CodeBuffer | undefined;
  readonly #titleOrder = new WordOrder();

  /** `model`: file of the static model; undefined: no vectors. `capacity`: how many terms the analyser remembers. */
  constructor(model: string | undefined, capacity?: number, { modelMemory }: DigesterMemory = {}) {
    this.analyser = new Analyser(capacity, true);
    if (model === undefined) return;
    this.#embedder = new StaticEmbedder(model, modelMemory);
    this.#codes = new CodeBuffer(this.#embedder.dims, 64, false);
  }

  get model(): VectorModel | undefined {
    return this.#embedder && { name: this.#embedder.name, dims: this.#embedder.dims };
  }

  get modelMemory(): SharedArrayBuffer | undefined {
    return this.#embedder?.memory;
  }

  /** `line`: the archived line of the message in UTF-8. */
  digest(message: Message, line: Buffer): MessageDigest {
    return { ...this.words(message), ...this.facts(message, line) };
  }

  facts(message: Message, line: Buffer): FactDigest {
    const tokens = measureMessage(message);
    const runs = deriveShellRuns(message);
    const text = dialogueText(message);
    return {
      role: message.role,
      time: message.time === undefined ? null : Date.parse(message.time),
      tokens: tokens.full,
      tokens_stripped: tokens.stripped,
      tokens_user: tokens.user_only,
      ...hashes(message, line),
      head: headLine(message),
      vectors: this.vectors(text),
      files: deriveFiles(message),
      commits: deriveCommits(message),
      shell_calls: runs.calls.map(({ id, ...call }) => ({ ...call, call: callNumber(id) })),
      shell_results: runs.results.map(({ id, ...result }) => ({ ...result, call: callNumber(id) })),
      requests: requestsOf(message),
    };
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

  /** The order is that of all that user and assistant wrote, and gave to tools. */
  words({ parts, role }: Message): WordDigest {
    const isSpoken = role === "user" || role === "assistant";
    for (const part of parts) {
      const isOrdered = isSpoken && (part.type === "text" || part.type === "tool_call");
      this.analyser.add(searchableText(part), partWeight(part, role), isOrdered);
      if (part.type === "tool_call" || part.type === "tool_result") {
        if (part.name) this.analyser.add(toolMark(part.name), WEIGHT_UNIT);
      }
    }
    const order = this.analyser.order();
    return { ...this.analyser.finish(), order };
  }
}

/** The text of user and assistant. Tool output is not embedded; it is found by its words. */
export function dialogueText(message: Message): string {
  if (message.role !== "user" && message.role !== "assistant") return "";
  const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === 1 ? (texts[0] as string) : texts.join("\n");
}

/** In quarters: text of user and assistant counts for more than tool output. */
function partWeight(part: Part, role: Role): number {
  if (part.type === "tool_call") return 6;
  if (part.type === "tool_result") return 2;
  if (part.type === "thinking") return 3;
  return role === "user" ? 8 : role === "assistant" ? 6 : 3;
}

/**
 * The hash is that of the line without its usage. A message whose usage became known later is still the same message: an
 * archive that was written before dex recorded usage is completed, not replaced.
 */
function hashes(message: Message, line: Buffer): Pick<MessageDigest, "hash" | "usage_hash"> {
  const { usage } = message;
  if (usage === undefined) return { hash: lineHash(line), usage_hash: 0 };
  const written = JSON.stringify(usage);
  const end = `,"usage":${written}}`;
  const at = line.length - Buffer.byteLength(end);
  const isLast = at > 0 && line.toString("utf8", at) === end;
  return {
    hash: isLast ? hashWithout(line, at) : lineHash(JSON.stringify({ ...message, usage: undefined })),
    usage_hash: lineHash(written),
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

function requestsOf({ usage = [], time, model }: Message): RequestDigest[] {
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
