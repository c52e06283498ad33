/** The sink behind every source: checks that the conversation is wanted, redacts, and packs messages into blocks. */
import { matchesGlob } from "node:path";
import type { ConversationMeta, Message } from "../conversations/model.ts";
import { redactMessage } from "../redact/message.ts";
import { redactText } from "../redact/redact.ts";
import type { OpenOptions, Sink } from "../sources/source.ts";
import { encodeFrame } from "../store/frames.ts";
import type { MessageDigest } from "../store/ports.ts";
import type { Digester } from "./digest.ts";
import type { Policy, ReadEvent } from "./events.ts";

/** Small enough that a single message is quickly fetched, large enough to compress well. */
const BLOCK_CHARACTERS = 48 * 1024;
const BLOCK_MESSAGES = 500;

export class Ingest implements Sink {
  malformedCount = 0;
  redactions = 0;
  /** Conversations that were taken in, that were not wanted, and of these that were forgotten on purpose. */
  opened = 0;
  refused = 0;
  forgotten = 0;
  readonly #job: number;
  readonly #origin: string;
  readonly #policy: Policy;
  readonly #forgotten: ReadonlySet<string>;
  readonly #emit: (event: ReadEvent) => void;
  readonly #digester: Digester;
  #meta: ConversationMeta | undefined;
  #lines = "";
  #digests: MessageDigest[] = [];

  constructor(job: number, origin: string, policy: Policy, digester: Digester, emit: (event: ReadEvent) => void) {
    this.#digester = digester;
    this.#job = job;
    this.#origin = origin;
    this.#policy = policy;
    this.#forgotten = new Set(policy.forgotten);
    this.#emit = emit;
  }

  open(meta: ConversationMeta, options: OpenOptions = {}): boolean {
    if (this.#meta) throw new Error(`${meta.source}:${meta.id} opened while ${this.#meta.id} is open`);
    if (!this.#wanted(meta)) {
      this.refused += 1;
      return false;
    }
    this.opened += 1;
    this.#meta = { ...meta, origin: this.#origin };
    this.#emit({ type: "open", job: this.#job, meta: this.#redactedMeta(), from: options.from ?? 0 });
    return true;
  }

  message(message: Message): void {
    const { message: clean, count } = redactMessage(message);
    this.redactions += count;
    const line = JSON.stringify(clean);
    this.#lines += `${line}\n`;
    this.#digests.push(this.#digester.digest(clean, line));
    if (this.#lines.length >= BLOCK_CHARACTERS || this.#digests.length >= BLOCK_MESSAGES) this.#flush();
  }

  close(meta: Partial<ConversationMeta> = {}): void {
    if (!this.#meta) throw new Error("close without an open conversation");
    this.#flush();
    for (const [key, value] of Object.entries(meta)) {
      if (value !== undefined) Object.assign(this.#meta, { [key]: value });
    }
    this.#emit({ type: "close", job: this.#job, meta: this.#redactedMeta() });
    this.#meta = undefined;
  }

  malformed(): void {
    this.malformedCount += 1;
  }

  #flush(): void {
    if (this.#digests.length === 0) return;
    const frame = encodeFrame("messages", this.#lines, this.#digests.length);
    packTerms(this.#digests);
    packVectors(this.#digests);
    const { analyser } = this.#digester;
    const weight = this.#lines.length;
    this.#emit({ type: "block", job: this.#job, frame, digests: this.#digests, names: analyser.terms, weight });
    analyser.trim();
    this.#lines = "";
    this.#digests = [];
  }

  #wanted(meta: ConversationMeta): boolean {
    if (meta.headless && !this.#policy.headless) return false;
    if (this.#forgotten.has(`${meta.source}\0${meta.id}`)) {
      this.forgotten += 1;
      return false;
    }
    const { project } = this.#policy;
    if (project !== undefined && !meta.project?.toLowerCase().includes(project.toLowerCase())) return false;
    const paths = meta.project ? [meta.project, this.#origin] : [this.#origin];
    return !this.#policy.exclude.some((glob) =>
      paths.some((path) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)),
    );
  }

  #redactedMeta(): ConversationMeta {
    const meta = { ...this.#meta } as ConversationMeta;
    if (meta.title !== undefined) meta.title = oneLine(redactText(meta.title).text);
    return meta;
  }
}

/** All terms of a block in one buffer, which crosses to another thread as a whole instead of in thousands of pieces. */
function packTerms(digests: readonly MessageDigest[]): void {
  const packed = new Uint32Array(digests.reduce((sum, { terms }) => sum + terms.length, 0));
  let at = 0;
  for (const digest of digests) {
    const end = at + digest.terms.length;
    packed.set(digest.terms, at);
    digest.terms = packed.subarray(at, end);
    at = end;
  }
}

/** The same for vectors. Every digest then has some part of the buffer, if only an empty one. */
function packVectors(digests: readonly MessageDigest[]): void {
  const length = digests.reduce((sum, { vectors }) => sum + (vectors?.length ?? 0), 0);
  if (length === 0) return;
  const packed = new Int8Array(length);
  let at = 0;
  for (const digest of digests) {
    const end = at + (digest.vectors?.length ?? 0);
    if (digest.vectors) packed.set(digest.vectors, at);
    digest.vectors = packed.subarray(at, end);
    at = end;
  }
}

const LONGEST_TITLE = 200;

function oneLine(title: string): string {
  const line = title.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}
