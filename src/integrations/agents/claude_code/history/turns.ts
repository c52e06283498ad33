/**
 * The turns of a session as a tree. A turn is a prompt and everything that follows from it. A person who goes back to an
 * earlier point types a prompt whose parent belongs to an earlier turn; the turns in between are then abandoned.
 *
 * Turns and not records, because the records of one turn branch, too: the results of parallel calls are dead ends.
 */
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { type Branches, branchesByParents } from "../../../history/building/branch.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import { canSkip, DROP_KEYS, skippedIds } from "./skipping.ts";

export class TurnTree {
  readonly #subagent: boolean;
  readonly #turns = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #keys: (string | undefined)[] = [];
  #current = -1;
  /** Records name their parents. Some programs write transcripts in which none does. */
  #isChained = false;
  readonly #isContinued: boolean;
  /** The last prompt goes back to an earlier turn. */
  goesBack = false;
  /** The parent of the last prompt may be before the place where the read began. */
  isUnsure = false;

  /** `leaf`: the last record before the first one that will be noted, if it is not the first of the file. */
  constructor(subagent: boolean, leaf?: string) {
    this.#subagent = subagent;
    this.#isContinued = leaf !== undefined;
    if (leaf === undefined) return;
    this.#begin(-1, undefined);
    this.#turns.set(leaf, this.#current);
  }

  /** Returns the number of the record's turn. */
  note(record: JsonObject): number {
    this.goesBack = false;
    this.isUnsure = false;
    const uuid = asString(record.uuid);
    const parent = asString(record.parentUuid);
    const known = parent === undefined ? undefined : this.#turns.get(parent);
    let turn = known ?? this.#current;
    this.#isChained ||= known !== undefined;
    if (uuid !== undefined && this.#isPrompt(record)) {
      this.isUnsure = this.#isContinued && known === undefined;
      const from = parent === undefined && this.#isChained ? -1 : turn;
      this.goesBack = from < this.#current;
      turn = this.#begin(from, uuid);
    }
    if (uuid === undefined) return turn;
    this.#turns.set(uuid, turn);
    this.#current = turn;
    return turn;
  }

  noteSkipped(text: string): void {
    const ids = skippedIds(text);
    if (ids) this.#turns.set(ids.uuid, this.#turns.get(ids.parentUuid ?? "") ?? this.#current);
  }

  branches(): Branches {
    return branchesByParents(this.#parents);
  }

  /** The id of the prompt that begins a turn. */
  keyOf(turn: number): string | undefined {
    return this.#keys[turn];
  }

  #begin(from: number, key: string | undefined): number {
    this.#parents.push(from);
    this.#keys.push(key);
    this.#current = this.#parents.length - 1;
    return this.#current;
  }

  #isPrompt(record: JsonObject): boolean {
    if (record.type !== "user" || !isObject(record.message)) return false;
    if (record.isMeta === true || record.isCompactSummary === true) return false;
    if (record.isSidechain === true && !this.#subagent) return false;
    if (asObject(record.origin).kind === "task-notification") return false;
    return !asArray(record.message.content).some((block) => asObject(block).type === "tool_result");
  }
}

/** The records of a file that belong to abandoned turns. */
export interface LeftBehind {
  tree: TurnTree;
  branches: Branches;
  /** The number of the branch of every abandoned record, by its offset in the file. */
  branchAt: ReadonlyMap<number, number>;
}

/** Undefined if no turn was abandoned. */
export function leftBehindIn(path: string, subagent: boolean): LeftBehind | undefined {
  const tree = new TurnTree(subagent);
  const skip = (text: string): boolean => {
    if (!canSkip(text)) return false;
    tree.noteSkipped(text);
    return true;
  };
  const turns: { offset: number; turn: number }[] = [];
  for (const { value, offset } of readRecords(path, { dropKeys: DROP_KEYS, sink: silent, skip })) {
    const turn = tree.note(value);
    if (isInTurn(value)) turns.push({ offset, turn });
  }
  const branches = tree.branches();
  if (branches.branches.length < 2 && branches.joined.length === 0) return undefined;
  const branchOf = new Map(branches.branches.flatMap(({ positions }, at) => positions.map((turn) => [turn, at])));
  const branchAt = new Map(turns.flatMap(({ offset, turn }) => [[offset, branchOf.get(turn) ?? 0] as const]));
  for (const [offset, branch] of branchAt) if (branch === 0) branchAt.delete(offset);
  return { tree, branches, branchAt };
}

/** Titles and links belong to the session, whatever the person was doing; a queue belongs to the turn it waits in. */
function isInTurn(record: JsonObject): boolean {
  return typeof record.uuid === "string" || record.type === "queue-operation";
}
