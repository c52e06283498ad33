/** The records that a forked conversation repeats: those of its ancestors. */
import type { Lineage } from "../../integrations/history/source.ts";
import { readMessages } from "../../store/archive/archive.ts";
import type { IndexWriter } from "../../store/index_writer.ts";
import type { ConversationRow } from "../../store/ports.ts";

export interface Inherited {
  uids: string[];
  from: string | undefined;
}

export function inheritedRecords(writer: IndexWriter, archive: string, source: string, lineage: Lineage): Inherited {
  const ancestors = findAncestors(writer, source, lineage);
  const uids: string[] = [];
  for (const ancestor of ancestors.flatMap((each) => [each, ...abandonedOf(writer, each)])) {
    for (const { message } of readMessages(archive, ancestor.archive, writer.blocks(ancestor.no))) {
      if (message.uid !== undefined) uids.push(message.uid);
    }
  }
  return { uids, from: ancestors.at(-1)?.id };
}

const MAX_BRANCH_DEPTH = 32;

/** A copy of a conversation has its abandoned branches, too. */
function abandonedOf(writer: IndexWriter, row: ConversationRow, depth = 0): ConversationRow[] {
  if (depth > MAX_BRANCH_DEPTH) return [];
  const branches = writer
    .children(row.id)
    .filter(({ source, parent_kind }) => source === row.source && parent_kind === "abandoned");
  return branches.flatMap((branch) => [branch, ...abandonedOf(writer, branch, depth + 1)]);
}

/**
 * Oldest first; the last is the nearest. The ancestors of a conversation are determined when it is first read, and stay.
 */
function findAncestors(writer: IndexWriter, source: string, lineage: Lineage): ConversationRow[] {
  const found = new Map<string, ConversationRow>();
  const known = writer.find(source, lineage.id);
  if (!known && lineage.family) {
    for (const row of writer.family(source, lineage.family)) found.set(row.id, row);
  }
  let id = known ? known.parent : lineage.forkOf;
  while (id && !found.has(id)) {
    const row = writer.find(source, id);
    if (!row) break;
    found.set(row.id, row);
    id = row.parent;
  }
  found.delete(lineage.id);
  return [...found.values()].sort((a, b) => a.created - b.created || a.no - b.no);
}
