/**
 * Agents that append one record per line and never change a line: dex reads from the end of the last read. The reader
 * of a log keeps the few facts about earlier records that a later one needs, and saves them with the state.
 */
import type { ConversationMeta, Message } from "../../../conversations/model.ts";
import type { Usage } from "../../../conversations/usage.ts";
import { defined } from "../../../kernel/defined.ts";
import { asNumber, asObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import { withExitCodes } from "../building/results.ts";
import { countAnswers, withSessionUsage } from "../building/usage.ts";
import { ConversationWriter } from "../building/writer.ts";
import { readRecords } from "../reading/jsonl.ts";
import { isReadable, resumePoint, tailOf } from "../reading/tail.ts";
import type { Container, Lineage, ReadRequest, Source, SourceEnv } from "../source.ts";
import type { SourceForm } from "./conversation.ts";

export interface LogReader {
  /** Grows while records are read; it is complete as far as the records say when the first message comes. */
  meta: Omit<ConversationMeta, "source">;
  messages(record: JsonObject): Message[];
  /**
   * For agents that record tokens only as a sum, in a file beside the log: the sum so far. The last message gets it, so
   * that message is read again whenever one of the files changed.
   */
  sessionUsage?(): Usage[] | undefined;
  /** The facts about the records so far. */
  facts(): JsonObject;
}

interface LogForm extends SourceForm {
  lineage?(container: Container, env: SourceEnv): Lineage | undefined;
  /** `facts` of the last read; undefined when the log is read from its start. */
  open(request: ReadRequest, facts: JsonObject | undefined): LogReader;
}

export function logSource({ id: source, places, discover, lineage, open }: LogForm): Source {
  const read = (request: ReadRequest): Json | undefined => {
    const { path, stamp } = request.container;
    const { sink, inherited } = request;
    if (!isReadable(path, sink)) return request.state;
    const tail = tailOf(path, request.state);
    if (tail && tail.saved.stamp === stamp) return request.state;
    const log = open(request, tail && asObject(tail.saved.facts));
    let writer: ConversationWriter | undefined;
    let offset = tail?.offset ?? 0;
    // A fork begins with the records of its origin.
    let leading = tail === undefined;
    /** The last record with messages, and where to resume to read it again: only if it gets the sum of the tokens. */
    let held: { messages: readonly Message[]; from: ResumeFrom } | undefined;
    let answers = asNumber(tail?.saved.answers) ?? 0;
    const write = (messages: readonly Message[]): void => {
      answers += countAnswers(messages);
      for (const message of messages) {
        writer ??= new ConversationWriter(sink, { ...metaOf(log, request), source }, tail?.index);
        if (!writer.refused) writer.message(withExitCodes(message));
      }
    };
    for (const { value, offset: start, end } of readRecords(path, { offset, sink })) {
      const before = log.sessionUsage && { offset: start, facts: log.facts() };
      offset = end;
      const messages = log.messages(value).filter((message) => {
        if (message.parts.length === 0) return false;
        leading &&= message.uid !== undefined && inherited.has(message.uid);
        return !leading;
      });
      if (messages.length === 0) continue;
      if (held) write(held.messages);
      if (before) held = { messages, from: { ...before, answers, index: writer?.index ?? tail?.index ?? 0 } };
      else write(messages);
      if (writer?.refused) return undefined;
    }
    if (held) {
      const sum = log.sessionUsage?.();
      write(withSessionUsage([...held.messages], sum, answers + countAnswers(held.messages)));
    }
    if (writer?.refused) return undefined;
    // The metadata may come from another file: it is passed on even if the log did not grow.
    writer ??= new ConversationWriter(sink, { ...metaOf(log, request), source }, tail?.index);
    const { id, ...learned } = metaOf(log, request);
    writer.close(learned);
    const from = held?.from ?? { offset, answers, index: writer.index, facts: log.facts() };
    const counted = log.sessionUsage ? { answers: from.answers, stamp } : {};
    return { ...resumePoint(path, from.offset, from.index), ...counted, facts: { ...from.facts, id } };
  };
  return { id: source, places, discover, read, ...(lineage ? { lineage } : {}) };
}

interface ResumeFrom {
  offset: number;
  index: number;
  /** The answers before it. */
  answers: number;
  facts: JsonObject;
}

function metaOf(log: LogReader, request: ReadRequest): Omit<ConversationMeta, "source"> {
  const parent = request.inheritedFrom;
  if (parent === undefined || parent === log.meta.id) return defined(log.meta);
  return defined({ ...log.meta, parent, parent_kind: "fork" });
}

/** The names of tools whose results have not come yet, by call id. */
export class OpenCalls {
  readonly #names = new Map<string, string>();

  constructor(saved?: Json) {
    for (const [id, name] of Object.entries(asObject(saved))) if (typeof name === "string") this.#names.set(id, name);
  }

  /** Remembers the calls of a message. Interrupted calls never get a result: only the latest are kept. */
  remember(message: Message): void {
    for (const part of message.parts) {
      if (part.type !== "tool_call" || part.id === undefined) continue;
      this.#names.set(part.id, part.name);
      const [oldest] = this.#names.keys();
      if (this.#names.size > MAX_OPEN_CALLS && oldest !== undefined) this.#names.delete(oldest);
    }
  }

  take(id: string | undefined): string | undefined {
    if (id === undefined) return undefined;
    const name = this.#names.get(id);
    this.#names.delete(id);
    return name;
  }

  toJson(): JsonObject {
    return Object.fromEntries(this.#names);
  }
}

const MAX_OPEN_CALLS = 64;
