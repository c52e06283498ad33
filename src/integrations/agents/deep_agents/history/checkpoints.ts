/**
 * LangGraph's checkpoints of one thread, in one namespace: the root, or that of a subagent. A checkpoint is the state
 * after a step, and the writes of the next step are stored under it. Most checkpoints have no messages, because the
 * writes have them; a version that saved only at the end of a turn stored the messages of the whole thread in each.
 */
import {
  asArray,
  asNumber,
  asObject,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { type Branches, branchesByParents } from "../../../history/building/branch.ts";
import { hasTables, presentColumns, textColumn } from "../../../history/forms/database.ts";
import { columnText, type ForeignDatabase } from "../../../history/reading/sqlite.ts";
import { storedValue } from "./stored_value.ts";

/** Where the checkpoints of one conversation are. */
export interface Place {
  thread: string;
  /** Empty for the thread itself; for a subagent, the nodes that lead to it. */
  namespace: string;
}

export interface Checkpoint {
  id: string;
  parent: string | undefined;
  time: string | undefined;
  metadata: JsonObject;
  writes: Write[];
  /** Whether it was saved without the steps before it, so only its state has their messages. */
  isAlone: boolean;
  bytes: number;
}

interface Write {
  channel: string;
  /** The node that wrote it. */
  task: string;
  /** Undefined if it cannot be read. */
  value: Json | undefined;
}

export const MESSAGES = "messages";
/** The summary that stands for the first messages in requests; the messages stay as they are. */
export const SUMMARY = "_summarization_event";
/** Of the states of one conversation that are read. */
const MAX_STATE_BYTES = 256 << 20;

/** In the order in which they were saved. */
export function checkpointsOf(db: ForeignDatabase, { thread, namespace }: Place): Checkpoint[] {
  const found = new Map<string, Checkpoint>();
  const columns = presentColumns(db, "checkpoints", ["parent_checkpoint_id", "metadata"]);
  const rows = db.all(
    `SELECT checkpoint_id, ${columns}, length(checkpoint) AS bytes FROM checkpoints
       WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id`,
    thread,
    namespace,
  );
  for (const row of rows) {
    const id = String(row.checkpoint_id);
    const metadata = asObject(parseJson(columnText(row.metadata)));
    const parent = textColumn(row, "parent_checkpoint_id");
    found.set(id, { ...withoutState(id, metadata), parent, bytes: Number(row.bytes ?? 0) });
  }
  for (const [id, write] of writesOf(db, { thread, namespace })) {
    const checkpoint = found.get(id) ?? withoutState(id, {});
    checkpoint.writes.push(write);
    found.set(id, checkpoint);
  }
  const all = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  markAlone(all);
  return all;
}

function withoutState(id: string, metadata: JsonObject): Checkpoint {
  const time = timeOfId(id) ?? toIso(metadata.updated_at);
  return { id, parent: undefined, time, metadata, writes: [], isAlone: false, bytes: 0 };
}

function* writesOf(db: ForeignDatabase, { thread, namespace }: Place): Generator<[string, Write]> {
  if (!hasTables(db, "writes")) return;
  const rows = db.all(
    `SELECT checkpoint_id, task_id, channel, type, value FROM writes
       WHERE thread_id = ? AND checkpoint_ns = ? AND channel IN (?, ?) ORDER BY checkpoint_id, task_id, idx`,
    thread,
    namespace,
    MESSAGES,
    SUMMARY,
  );
  for (const row of rows) {
    // A write of nothing has a type of its own.
    if (row.value === null || textColumn(row, "type") === "null") continue;
    const value = storedValue(row.type, row.value);
    yield [String(row.checkpoint_id), { channel: String(row.channel), task: String(row.task_id), value }];
  }
}

/** Steps have numbers, and every step of a turn is saved, or only the last one. */
function markAlone(checkpoints: readonly Checkpoint[]): void {
  const hasWrites = checkpoints.some(({ writes }) => writes.length > 0);
  for (const [position, checkpoint] of checkpoints.entries()) {
    const before = checkpoints[position - 1];
    const [step, stepBefore] = [asNumber(checkpoint.metadata.step), asNumber(before?.metadata.step)];
    const follows = step !== undefined && stepBefore !== undefined && step === stepBefore + 1;
    checkpoint.isAlone = (before?.writes.length ?? 0) === 0 && !follows;
  }
  const last = checkpoints.at(-1);
  if (last && !hasWrites) last.isAlone = true;
  let bytes = 0;
  for (const checkpoint of checkpoints.toReversed()) {
    if (!checkpoint.isAlone) continue;
    bytes += checkpoint.bytes;
    checkpoint.isAlone = bytes <= MAX_STATE_BYTES;
  }
}

/** Undefined if the state has no messages, and `null` if it cannot be read. */
export function stateMessages(
  db: ForeignDatabase,
  { thread, namespace }: Place,
  id: string,
): Json[] | null | undefined {
  const row = db.get(
    `SELECT ${presentColumns(db, "checkpoints", ["type", "checkpoint"])} FROM checkpoints
       WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`,
    thread,
    namespace,
    id,
  );
  if (!row) return undefined;
  const state = storedValue(row.type, row.checkpoint);
  if (state === undefined) return null;
  const messages = asObject(asObject(state).channel_values)[MESSAGES];
  return Array.isArray(messages) ? asArray(messages) : undefined;
}

/**
 * A checkpoint whose parent is an earlier one than the one before it began a branch. Any other follows the one before it:
 * its parent may not have been saved.
 */
export function checkpointBranches(checkpoints: readonly Checkpoint[]): Branches {
  const positions = new Map(checkpoints.map(({ id }, position) => [id, position]));
  return branchesByParents(
    checkpoints.map(({ parent }, position) => {
      const earlier = positions.get(parent ?? "");
      return earlier !== undefined && earlier < position ? earlier : position - 1;
    }),
  );
}

const GREGORIAN_MS = 12_219_292_800_000;

/** Ids of checkpoints are UUIDs that begin with their time, in units of 100 nanoseconds since 1582. */
function timeOfId(id: string): string | undefined {
  const [, high, low] = /^([0-9a-f]{8}-[0-9a-f]{4})-6([0-9a-f]{3})-/.exec(id) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return toIso(Math.floor(Number.parseInt(high.replace("-", "") + low, 16) / 10_000) - GREGORIAN_MS);
}

/** The title of the thread is not stored; the rest is in the metadata of its newest checkpoint that has it. */
export function lastText(checkpoints: readonly Checkpoint[], name: string): string | undefined {
  const found = checkpoints.findLast(({ metadata }) => typeof metadata[name] === "string" && metadata[name] !== "");
  const value = found?.metadata[name];
  return typeof value === "string" ? value : undefined;
}

export function summaryRecord(value: Json | undefined): JsonObject | undefined {
  const message = asObject(value).summary_message;
  return isObject(message) ? message : undefined;
}
