/**
 * Turns one session file into messages, record by record.
 *
 * Old versions keep the records of subagents in the main file; these stay in place.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { SUMMARY_START } from "../../../../conversations/texts/program_text.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, attachmentText, blocksOf, isAttachment } from "../../../history/building/blocks.ts";
import { cleanPrompt, renamedTo, shellOutput } from "../../../history/claude_prompts.ts";
import type { Record } from "../../../history/reading/jsonl.ts";
import { HeldMessages } from "./held_messages.ts";
import { isNotice, noticeIn, systemNotice } from "./notices.ts";
import { advance, enqueue, leaveQueue, matchQueued, type Queued, remember, takeBack } from "./queue.ts";
import { type SpillFolder, toolResult } from "./results.ts";
import {
  type Checkpoint,
  noteAnswer,
  noteCall,
  noteChain,
  noteLeaf,
  noteOther,
  type ResumeState,
  titleOfPrompt,
} from "./resume_state.ts";
import { answerUsage, progressUsage, waiting, withUsage } from "./usage.ts";

export interface SessionOptions {
  start: Checkpoint;
  spill: SpillFolder | undefined;
  /** The file belongs to a subagent: all its records are marked as a side chain. */
  subagent: boolean;
  /** Takes the messages that are complete, in order. */
  deliver(message: Message): void;
  /**
   * Whether there is a chain record before the start. Called rarely, because it may have to read the file up to there.
   */
  wasBefore(uuid: string): boolean;
}

export class Session {
  state: ResumeState;
  /** End of the last record that was read. */
  end: number;
  /** Counts changes of the messages or the queue; a reader can tell whether a record made one. */
  changes = 0;
  readonly #options: SessionOptions;
  readonly #startLatest: string;
  readonly #held: HeldMessages;
  readonly #seen = new Set<string>();
  #index: number;
  /** The state before the current record, and the record's offset. */
  #before: Checkpoint;
  /** Answers that belong to the conversation this one was forked from. */
  #forgotten = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#held = new HeldMessages((message) => options.deliver(message));
    this.state = options.start.state;
    this.end = options.start.offset;
    this.#index = options.start.index;
    this.#before = options.start;
    this.#startLatest = options.start.state.latest;
  }

  take(record: Record): void {
    // Two records on one line are always read together.
    if (record.offset !== this.#before.offset) {
      this.#before = { offset: record.offset, index: this.#index, state: this.state };
    }
    this.end = record.end;
    const value = record.value;
    if (value.type === "queue-operation") this.#queueOperation(value);
    else if (isChain(value)) this.#chainRecord(value);
    else if (value.type === "progress") this.state = waiting(this.state, progressUsage(value));
    else this.state = noteOther(this.state, value, (uuid) => this.#isKnown(uuid));
  }

  /** Everything read so far belongs to the conversation this one was forked from. */
  forget(): void {
    for (const answer of this.#held.drop()) this.#forgotten.add(answer);
    this.#index = 0;
    // Prompts queued since the last copied record begin the fork; the others waited in the parent.
    const queue = this.state.queue.filter((entry) => (entry.time ?? "") > this.state.latest);
    this.state = { ...this.state, queue, prompt: undefined, headless: undefined };
  }

  /** The earliest offset from which an answer may still grow, or the end. */
  checkpoint(): Checkpoint {
    return this.#held.checkpoint() ?? { offset: this.end, index: this.#index, state: this.state };
  }

  /**
   * Emits everything that is held. Take the checkpoint first. Queued texts come last: nothing more is known about them
   * yet.
   */
  finish(): void {
    this.#held.finish();
    for (const entry of this.state.queue) if (!entry.said) this.#emitQueued(entry);
  }

  #chainRecord(value: JsonObject): void {
    const uuid = asString(value.uuid);
    if (uuid !== undefined) {
      if (this.#isRepeated(uuid, asString(value.timestamp) ?? "")) return;
      this.#seen.add(uuid);
      this.state = noteLeaf(this.state, uuid);
    }
    this.state = noteChain(this.state, value);
    if (value.type === "assistant") this.#assistant(value);
    else if (value.type === "user") this.#user(value);
    else if (value.type === "attachment") this.#handedOver(value);
    else this.#system(value);
  }

  #isRepeated(uuid: string, time: string): boolean {
    if (this.#seen.has(uuid)) return true;
    return time <= this.#startLatest && this.#options.wasBefore(uuid);
  }

  #isKnown(uuid: string): boolean {
    return this.#seen.has(uuid) || this.#options.wasBefore(uuid);
  }

  #assistant(value: JsonObject): void {
    const message = asObject(value.message);
    const parts = assistantParts(blocksOf(message.content));
    if (isNotice(value, message)) {
      this.#addNotice(value, noticeIn(parts));
      return;
    }
    const model = firstString(message, "model");
    const answer = firstString(message, "id");
    if (answer !== undefined && this.#forgotten.has(answer)) return;
    const open = this.#held.open(answer);
    const usage = answerUsage(value, message);
    if (open) withUsage(open, usage);
    else if (parts.length === 0) this.state = waiting(this.state, usage);
    if (parts.length === 0) return;
    if (model !== undefined && model !== this.state.model) this.state = { ...this.state, model };
    const time = toIso(value.timestamp);
    this.#queueStep(advance(this.state.queue, time, open === undefined));
    for (const part of parts) if (part.type === "tool_call") this.state = noteCall(this.state, part.id, part.name);
    if (open) {
      for (const part of parts) open.parts.push(part);
      this.changes += 1;
      return;
    }
    this.#add(withUsage({ role: "assistant", time, parts, uid: asString(value.uuid), model }, usage), answer);
  }

  #user(value: JsonObject): void {
    if (value.isMeta === true || asObject(value.origin).kind === "task-notification") return;
    const content = asObject(value.message).content;
    const blocks = blocksOf(content);
    const results = blocks.filter((block) => block.type === "tool_result");
    if (results.length > 0) this.#results(value, results);
    const parts: Part[] = [];
    for (const block of blocks) {
      const text = block.type === "text" ? asString(block.text) : undefined;
      if (text !== undefined) this.#promptText(value, text, parts);
      else if (isAttachment(block)) parts.push({ type: "text", text: attachmentText(block) });
    }
    if (parts.length > 0) this.#prompt(value, parts, results.length > 0);
  }

  #promptText(value: JsonObject, text: string, parts: Part[]): void {
    const printed = shellOutput(text);
    if (printed !== undefined) {
      const part: Part = { type: "tool_result", name: "Bash", output: printed };
      if (printed !== "") this.#add({ role: "tool", time: toIso(value.timestamp), parts: [part] });
      return;
    }
    const renamed = renamedTo(text);
    if (renamed !== undefined) this.state = { ...this.state, custom: renamed };
    const prompt = cleanPrompt(text);
    if (prompt !== "") parts.push({ type: "text", text: prompt });
  }

  #prompt(value: JsonObject, parts: Part[], uidTaken: boolean): void {
    const time = toIso(value.timestamp);
    const text = textOf(parts);
    if (value.isCompactSummary === true || text.startsWith(SUMMARY_START)) {
      this.#add({ role: "system", time, parts, uid: asString(value.uuid), kind: "summary" });
      return;
    }
    // A side chain's prompt comes from the agent and does not begin a turn of the person.
    const begins = value.isSidechain !== true || this.#options.subagent;
    const met = matchQueued(this.state.queue, text, time, begins);
    this.#queueStep(met);
    if (met.repeated) return;
    const queued = met.waited || value.promptSource === "queued";
    const uid = uidTaken ? undefined : asString(value.uuid);
    this.#add({ role: "user", time, parts, uid, kind: queued ? "queued" : undefined });
    if (begins) this.state = { ...this.state, prompt: this.state.prompt ?? titleOfPrompt(text) };
  }

  #results(value: JsonObject, blocks: JsonObject[]): void {
    const structured = blocks.length === 1 ? value.toolUseResult : undefined;
    const time = toIso(value.timestamp);
    const parts = blocks.map((block) => {
      const id = asString(block.tool_use_id);
      const call = this.state.calls.find((each) => each.id === id);
      if (call) this.state = noteAnswer(this.state, call.id);
      return toolResult(block, structured, call?.name, this.#options.spill);
    });
    this.#queueStep(advance(this.state.queue, time, false));
    this.#add({ role: "tool", time, parts, uid: asString(value.uuid) });
  }

  #system(value: JsonObject): void {
    this.#addNotice(value, systemNotice(value));
    if (value.subtype !== "local_command") return;
    const renamed = renamedTo(asString(value.content) ?? "");
    if (renamed !== undefined) this.state = { ...this.state, custom: renamed };
  }

  /** A queued prompt that the agent received in the middle of a turn. */
  #handedOver(value: JsonObject): void {
    const attachment = asObject(value.attachment);
    if (attachment.commandMode === "task-notification" || attachment.isMeta === true) return;
    const parts: Part[] = [];
    for (const block of blocksOf(attachment.prompt)) {
      const text = isAttachment(block) ? attachmentText(block) : cleanPrompt(asString(block.text) ?? "");
      if (text !== "") parts.push({ type: "text", text });
    }
    if (parts.length === 0) return;
    const time = toIso(attachment.timestamp) ?? toIso(value.timestamp);
    const text = textOf(parts);
    const met = matchQueued(this.state.queue, text, time, false);
    this.#queueStep({ queue: remember(met.queue, text, time), orphans: met.orphans });
    if (!met.repeated) this.#add({ role: "user", time, parts, uid: asString(value.uuid), kind: "queued" });
  }

  #queueOperation(value: JsonObject): void {
    const text = cleanPrompt(asString(value.content) ?? "");
    const queue = this.state.queue;
    if (value.operation === "enqueue" && text !== "") this.#queueStep(enqueue(queue, text, toIso(value.timestamp)));
    else if (value.operation === "popAll") this.#queueStep({ queue: takeBack(queue), orphans: [] });
    else if (value.operation === "dequeue" || value.operation === "remove") {
      this.#queueStep({ queue: leaveQueue(queue, text === "" ? undefined : text), orphans: [] });
    }
  }

  #queueStep(step: { queue: ResumeState["queue"]; orphans: Queued[] }): void {
    if (step.queue === this.state.queue) return;
    this.state = { ...this.state, queue: step.queue };
    this.changes += 1;
    for (const entry of step.orphans) this.#emitQueued(entry);
  }

  #emitQueued(entry: Queued): void {
    this.#add({ role: "user", time: entry.time, parts: [{ type: "text", text: entry.text }], kind: "queued" });
    this.state = { ...this.state, prompt: this.state.prompt ?? titleOfPrompt(entry.text) };
  }

  #addNotice(value: JsonObject, notice = ""): void {
    const text = notice.trim();
    if (text === "") return;
    const parts: Part[] = [{ type: "text", text }];
    this.#add({ role: "system", time: toIso(value.timestamp), parts, uid: asString(value.uuid) });
  }

  #add(message: Message, answer?: string): void {
    if (this.state.usage) {
      const { usage: waited, ...state } = this.state;
      withUsage(message, waited);
      this.state = state;
    }
    this.#index += 1;
    this.changes += 1;
    this.#held.add(this.#before, defined(message), answer, this.#index);
  }
}

/** Records that have an id and are read. An attachment matters only if it contains a prompt. */
export function isChain(value: JsonObject): boolean {
  if (value.type === "user" || value.type === "assistant") return isObject(value.message);
  if (value.type === "attachment") return asObject(value.attachment).type === "queued_command";
  return value.type === "system";
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
