/** The sink of every source: filters conversations by policy, redacts, and packs messages into blocks. */

import { BRANCH_MARK, type ConversationMeta, type Message } from "../../conversations/model.ts";
import type { OpenOptions, Sink } from "../../integrations/history/source.ts";
import { matchesGlob } from "../../kernel/files/glob.ts";
import { type FactDigest, factsOf } from "../recording/digest.ts";
import { LineBuffer } from "../recording/line_buffer.ts";
import { TextBuffer } from "../recording/message_texts.ts";
import type { LeftOut, LeftOutReason, Policy, ReadEvent } from "./events.ts";
import { cleanMessage, cleanMeta, plainId } from "./fields.ts";
import { PlausibleTimes } from "./times.ts";

/** Small enough to fetch a single message quickly, large enough to compress well. */
const MAX_BLOCK_CHARS = 48 * 1024;
const MAX_BLOCK_MESSAGES = 500;

export class Ingest implements Sink {
  malformedCount = 0;
  redactions = 0;
  /** Number of accepted conversations. */
  opened = 0;
  /** Number of rejected conversations, by reason. */
  readonly leftOut: LeftOut = {};
  readonly #job: number;
  readonly #origin: string;
  readonly #times: PlausibleTimes;
  readonly #policy: Policy;
  readonly #forgotten: ReadonlySet<string>;
  readonly #emit: (event: ReadEvent) => void;
  #meta: ConversationMeta | undefined;
  readonly #lines = new LineBuffer();
  readonly #texts = new TextBuffer();
  /** Of the current block. */
  #facts: FactDigest[] = [];

  constructor(job: number, file: { path: string; mtimeMs: number }, policy: Policy, emit: (event: ReadEvent) => void) {
    this.#job = job;
    this.#origin = file.path;
    this.#times = new PlausibleTimes(file.mtimeMs);
    this.#policy = policy;
    this.#forgotten = new Set(policy.forgotten);
    this.#emit = emit;
  }

  open(meta: ConversationMeta, options: OpenOptions = {}): boolean {
    if (this.#meta) throw new Error(`${meta.source}:${meta.id} opened while ${this.#meta.id} is open`);
    const reason = this.#unwanted(meta);
    if (reason !== undefined) {
      this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1;
      return false;
    }
    this.opened += 1;
    this.#meta = { ...meta };
    this.#times.begin();
    this.#emit({ type: "open", job: this.#job, meta: this.#cleanMeta(meta), from: options.from ?? 0 });
    return true;
  }

  message(message: Message): void {
    const { value: clean, redactions } = cleanMessage(this.#times.ofMessage(message));
    this.redactions += redactions;
    this.#lines.add(JSON.stringify(clean));
    this.#facts.push(factsOf(clean));
    this.#texts.add(clean);
    if (this.#lines.characters >= MAX_BLOCK_CHARS || this.#facts.length >= MAX_BLOCK_MESSAGES) this.#flush();
  }

  close(meta: Partial<ConversationMeta> = {}): void {
    if (!this.#meta) throw new Error("close without an open conversation");
    this.#flush();
    for (const [key, value] of Object.entries(meta)) {
      if (value !== undefined) Object.assign(this.#meta, { [key]: value });
    }
    this.#emit({ type: "close", job: this.#job, meta: this.#times.ofFinished(this.#cleanMeta(this.#meta)) });
    this.#meta = undefined;
  }

  rejoined(source: string, id: string): void {
    this.#emit({ type: "rejoined", job: this.#job, source, id: plainId(id) });
  }

  malformed(): void {
    this.malformedCount += 1;
  }

  progress(share: number): void {
    this.#emit({ type: "progress", job: this.#job, share });
  }

  #flush(): void {
    if (this.#facts.length === 0) return;
    const weight = this.#lines.characters;
    const [lines, texts] = [this.#lines.take(), this.#texts.take()];
    this.#emit({ type: "block", job: this.#job, lines, texts, facts: this.#facts, weight });
    this.#facts = [];
  }

  #cleanMeta(meta: ConversationMeta): ConversationMeta {
    return this.#times.ofMeta(cleanMeta(meta, this.#origin));
  }

  #unwanted(meta: ConversationMeta): LeftOutReason | undefined {
    if (meta.headless && !this.#policy.headless) return "headless";
    const { id, parent } = cleanMeta(meta, this.#origin);
    // An abandoned branch is a part of the conversation that was forgotten.
    const ids = meta.parent_kind === "abandoned" && parent !== undefined ? [id, parent, mainOf(parent)] : [id];
    if (ids.some((each) => this.#forgotten.has(`${meta.source}\0${each}`))) return "forgotten";
    const { project } = this.#policy;
    if (project !== undefined && !meta.project?.toLowerCase().includes(project.toLowerCase())) return "other_project";
    const paths = meta.project ? [meta.project, this.#origin] : [this.#origin];
    const excluded = this.#policy.exclude.some((glob) =>
      paths.some((path) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)),
    );
    return excluded ? "excluded" : undefined;
  }
}

/** The conversation that an abandoned branch, or a branch of one, belongs to. */
function mainOf(id: string): string {
  return id.split(BRANCH_MARK, 1)[0] ?? id;
}
