/** Records that form a tree: the conversation is the branch from the last record back to the root. */
import { asString, type JsonObject } from "../../../kernel/json.ts";

/**
 * Whether each record is on the active branch. A record whose parent is not in the file follows the record before it:
 * an unreadable line must not cut off everything before it. A record that repeats an id continues the earlier one.
 */
export function activeBranch(records: readonly JsonObject[], id: string, parent: string): boolean[] {
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
  const active = records.map(() => false);
  for (let at = records.length - 1; at >= 0; at = parents[at] ?? -1) active[at] = true;
  return active;
}
