/**
 * Reads the new part of one transcript.
 *
 * A read begins where an answer could still grow when the last read ended, and opens the conversation only if something
 * was added since. A fork begins with its parent's records: dex reads them for what they say about the session and does
 * not emit them. As soon as a prompt goes back to an earlier turn, the file is read again, branch by branch.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMeta, Message } from "../../../../conversations/model.ts";
import { readLines } from "../../../../kernel/files/lines.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { canResume, resumeCheck } from "../../../history/building/resume.ts";
import { writeAbandoned } from "../../../history/forms/conversation.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { isReadable, silent } from "../../../history/reading/tail.ts";
import type { ReadRequest, Sink } from "../../../history/source.ts";
import { abandonedTurns } from "./abandoned.ts";
import type { SpillFolder } from "./results.ts";
import { type Checkpoint, EMPTY_STATE, metaOf, parseResumeState, type ResumeState, toJson } from "./resume_state.ts";
import { isChain, Session } from "./session.ts";
import { canSkip, DROP_KEYS } from "./skipping.ts";
import { type LeftBehind, leftBehindIn, TurnTree } from "./turns.ts";

/** Facts that follow from the path of a transcript. */
export interface Location {
  /** The id of its conversation: the file name without its extension. */
  id: string;
  subagent: boolean;
  /** The session it belongs to, if the folders name it. */
  session?: string;
  /** The project's folder, which contains those of its sessions. */
  project: string;
}

interface Saved extends Checkpoint {
  /** End of the last record that was read: everything after it is new. */
  end: number;
  /** Offsets after the checkpoint of records that the person left behind. */
  left: readonly number[];
}

const VERSION = 1;
const HEAD_BYTES = 256 << 10;
/** With more records to skip, the file is read whole the next time. */
const MAX_LEFT = 10_000;

export function readSession(request: ReadRequest, location: Location): Json | undefined {
  const { container, sink } = request;
  const path = container.path;
  if (!isReadable(path, sink)) return request.state;
  const saved = loadState(path, request.state);
  const state = readLine(request, location, saved, new Set(saved?.left));
  if (state !== GOES_BACK) return state;
  const left = leftBehindIn(path, location.subagent);
  const again = readLine(request, location, undefined, new Set(left?.branchAt.keys()), left);
  return again === GOES_BACK ? undefined : again;
}

const GOES_BACK = Symbol("a prompt goes back");

/** Reads the conversation itself, without the records at the offsets in `skipped`. */
function readLine(
  request: ReadRequest,
  location: Location,
  saved: Saved | undefined,
  skipped: ReadonlySet<number>,
  left?: LeftBehind,
): Json | undefined | typeof GOES_BACK {
  const { container, sink } = request;
  const { path } = container;
  const start = saved ?? { offset: 0, index: 0, state: firstState(path, location) };
  // Once the fork has a message of its own, the parent's records are over; before that, the copy may still have been
  // growing.
  const inheritedEnd = start.index > 0 ? 0 : endOfInherited(path, request.inherited);
  let inInherited = inheritedEnd > start.offset;
  const fork = inInherited && !location.subagent ? { parent: request.inheritedFrom, fork: true } : {};
  const meta = (): ConversationMeta => metaOf(session.state, location.id, container.source);
  const standing = (): string => `${session.changes} ${JSON.stringify(meta())}`;
  const writer = new Writer(sink, start.index, meta);
  /** The reader's state at the end of the last read. */
  let before: string | undefined;
  let earlier: ReadonlySet<string> | undefined;
  const session: Session = new Session({
    start: { ...start, state: { ...start.state, ...fork } },
    subagent: location.subagent,
    spill: spillFolder(location, start.state),
    deliver: (message) => {
      if (inInherited) return;
      if (saved && before === undefined) writer.hold(message);
      else writer.message(message);
    },
    wasBefore: (uuid) => {
      earlier ??= uuidsBefore(path, start.offset);
      return earlier.has(uuid);
    },
  });
  const turns = left ? undefined : new TurnTree(location.subagent, start.state.leaf);
  const skip = (text: string): boolean => {
    if (!canSkip(text)) return false;
    turns?.noteSkipped(text);
    return true;
  };
  for (const record of readRecords(path, { offset: start.offset, dropKeys: DROP_KEYS, sink, skip })) {
    if (skipped.has(record.offset)) continue;
    if (turns && goesBack(turns, record.value, path, location)) {
      writer.close();
      return GOES_BACK;
    }
    if (inInherited && record.offset >= inheritedEnd) {
      session.forget();
      inInherited = false;
    }
    if (saved && before === undefined && record.offset >= saved.end) before = standing();
    session.take(record);
    if (writer.refused) return undefined;
  }
  if (inInherited) session.forget();
  inInherited = false;
  const checkpoint = session.checkpoint();
  const end = Math.max(session.end, saved?.end ?? 0);
  const later = [...skipped].filter((offset) => offset >= checkpoint.offset);
  if (!saved || (before !== undefined && before !== standing())) {
    session.finish();
    writer.close();
    if (writer.refused) return undefined;
  }
  if (left) writeAbandoned(sink, meta(), abandonedTurns(request, left, spillFolder(location, start.state), location));
  return later.length > MAX_LEFT ? undefined : saveState(path, { ...checkpoint, end, left: later });
}

/** A prompt whose parent is before the place where the read began needs a look at the whole file. */
function goesBack(turns: TurnTree, record: JsonObject, path: string, location: Location): boolean {
  turns.note(record);
  return turns.goesBack || (turns.isUnsure && leftBehindIn(path, location.subagent) !== undefined);
}

/** Opens the conversation at its first message; one without messages is never opened. */
class Writer {
  readonly #sink: Sink;
  readonly #from: number;
  readonly #meta: () => ConversationMeta;
  #opened = false;
  #replayed: Message[] = [];
  /** The user excluded the conversation: dex stores nothing of the read, not even its position. */
  refused = false;

  constructor(sink: Sink, from: number, meta: () => ConversationMeta) {
    this.#sink = sink;
    this.#from = from;
    this.#meta = meta;
  }

  /** Holds a message that the last read already emitted: it is needed again only if something new follows. */
  hold(message: Message): void {
    this.#replayed.push(message);
  }

  message(message: Message): void {
    this.#flush();
    if (this.#open()) this.#sink.message(message);
  }

  /** A known conversation gets a new title even when no message came with it. */
  close(): void {
    this.#flush();
    if (!this.#opened && this.#from > 0) this.#open();
    if (this.#opened) this.#sink.close(this.#meta());
  }

  #flush(): void {
    if (this.#replayed.length === 0) return;
    for (const message of this.#replayed) if (this.#open()) this.#sink.message(message);
    this.#replayed = [];
  }

  #open(): boolean {
    if (this.#opened || this.refused) return this.#opened;
    this.#opened = this.#sink.open(this.#meta(), { from: this.#from });
    this.refused = !this.#opened;
    return this.#opened;
  }
}

function firstState(path: string, location: Location): ResumeState {
  const headless = /[\\/]\.dex[\\/]/.test(path) ? true : undefined;
  if (!location.subagent) return { ...EMPTY_STATE, headless };
  // The description that the agent was started with is in a file next to its transcript.
  const about = asObject(parseJson(headText(path.replace(/\.jsonl$/, ".meta.json")) ?? ""));
  const parent = location.session ?? readHead(path)?.session;
  return { ...EMPTY_STATE, headless, parent, agentName: firstString(about, "description") };
}

/** A record may name the session: only a plain name may lead into the project's folder. */
function spillFolder(location: Location, state: ResumeState): SpillFolder | undefined {
  const session = location.session ?? state.parent;
  if (session === undefined || !/^[\w-]+$/.test(session)) return undefined;
  return { session, path: join(location.project, session, "tool-results") };
}

/**
 * End of the last record that the parents also have. Everything before it is theirs, even records without a message id:
 * later records of an answer, and prompts that were emitted when they were queued.
 */
function endOfInherited(path: string, inherited: ReadonlySet<string>): number {
  let end = 0;
  if (inherited.size === 0) return end;
  for (const line of readLines(path, { dropKeys: DROP_KEYS })) {
    for (const match of line.text.matchAll(/"uuid":"([^"\\]{1,64})"/g)) {
      const uuid = match[1] ?? "";
      if (!inherited.has(uuid) || asObject(parseJson(line.text)).uuid !== uuid) continue;
      end = line.end;
      break;
    }
  }
  return end;
}

function uuidsBefore(path: string, offset: number): Set<string> {
  const found = new Set<string>();
  if (offset === 0) return found;
  for (const record of readRecords(path, { dropKeys: DROP_KEYS, sink: silent, skip: canSkip })) {
    if (record.offset >= offset) break;
    if (isChain(record.value) && typeof record.value.uuid === "string") found.add(record.value.uuid);
  }
  return found;
}

/** The session id and the first chain record, from the head of the file. */
export function readHead(path: string): { session?: string; uuid?: string } | undefined {
  const text = headText(path);
  if (text === undefined) return undefined;
  let session: string | undefined;
  let uuid: string | undefined;
  for (const line of text.split("\n")) {
    const record = asObject(parseJson(line));
    session ??= firstString(record, "sessionId");
    uuid ??= firstString(record, "uuid");
    if (session !== undefined && uuid !== undefined) break;
  }
  return { session, uuid };
}

function headText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, HEAD_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function loadState(path: string, state: Json | undefined): Saved | undefined {
  if (!isObject(state) || state.version !== VERSION) return undefined;
  const offset = asNumber(state.offset);
  const index = asNumber(state.index);
  const end = asNumber(state.end);
  if (offset === undefined || index === undefined || end === undefined) return undefined;
  const check = asString(state.check) ?? "";
  const endCheck = asString(state.endCheck) ?? "";
  // Records that were already read after the offset must be included; otherwise they would count as new.
  if (!canResume(path, { offset, index, check }) || !canResume(path, { offset: end, index, check: endCheck })) {
    return undefined;
  }
  const left = asArray(state.left).filter((each) => typeof each === "number");
  return { offset, index, end, left, state: parseResumeState(state.carry) };
}

function saveState(path: string, saved: Saved): Json {
  const { offset, index, end, left } = saved;
  const checks = { check: resumeCheck(path, offset), endCheck: resumeCheck(path, end) };
  return { version: VERSION, offset, index, end, left: [...left], ...checks, carry: toJson(saved.state) };
}
