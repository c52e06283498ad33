/**
 * Records that form a tree, because a person can go back to an earlier record and continue from there. The conversation
 * is the branch from the last record back to the root; the branches that were left behind are kept as abandoned.
 */
import { asString, type JsonObject } from "../../../kernel/json.ts";

/** The records of one branch, as positions in the list of all records. */
export interface Branch {
  positions: number[];
  /** Which branch it leaves, as a position in the list of branches; undefined for the conversation itself. */
  from?: number;
}

export interface Branches {
  /** The first one is the conversation itself, the others are abandoned. */
  branches: Branch[];
  /** Records that could begin a branch of their own but belong to a longer one: each may have begun one before. */
  joined: number[];
}

/**
 * A record whose parent is not in the file follows the record before it: an unreadable line must not cut off everything
 * before it. A record that repeats an id continues the earlier one. A record without a parent is a root, and there may
 * be several.
 */
export function branchesOf(records: readonly JsonObject[], id: string, parent: string): Branches {
  const parents: number[] = [];
  const positions = new Map<string, number>();
  for (const [position, record] of records.entries()) {
    const own = asString(record[id]);
    const repeated = own === undefined ? undefined : positions.get(own);
    const named = asString(record[parent]);
    const before = named === undefined ? undefined : positions.get(named);
    parents.push(repeated ?? (record[parent] === null ? -1 : (before ?? position - 1)));
    if (own !== undefined) positions.set(own, position);
  }
  return branchesByParents(parents);
}

/** `parents`: for each record an earlier position, or -1 for a root. */
export function branchesByParents(parents: readonly number[]): Branches {
  const children = parents.map((): number[] => []);
  const roots: number[] = [];
  /** The last record that descends from each one: the person was there last. */
  const latest = parents.map((_, position) => position);
  for (const [position, parent] of parents.entries()) (children[parent] ?? roots).push(position);
  for (let at = parents.length - 1; at >= 0; at -= 1) {
    const parent = parents[at] as number;
    if (parent >= 0) latest[parent] = Math.max(latest[parent] as number, latest[at] as number);
  }
  const branches: Branch[] = [];
  const joined: number[] = [];
  const pending: { start: number; from?: number }[] = [];
  /** The child that the branch goes on with; the others begin branches of their own. */
  const choose = (among: readonly number[], from: number): number | undefined => {
    let chosen = among[0];
    for (const each of among) if ((latest[each] as number) >= (latest[chosen as number] as number)) chosen = each;
    for (const each of among) if (each !== chosen) pending.push({ start: each, from });
    if (chosen !== undefined && among.length > 1) joined.push(chosen);
    return chosen;
  };
  const follow = (start: number | undefined, from?: number): void => {
    const number = branches.length;
    const branch: Branch = { positions: [], ...(from === undefined ? {} : { from }) };
    branches.push(branch);
    for (let at = start; at !== undefined; at = choose(children[at] as number[], number)) branch.positions.push(at);
  };
  follow(choose(roots, 0));
  // Grows while it is walked; taking from its front would move all others each time.
  for (const { start, from } of pending) follow(start, from);
  return { branches, joined };
}
