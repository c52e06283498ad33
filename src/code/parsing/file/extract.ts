/** Extracts the facts of a file from its text: processes the matches of the language's patterns in order, tracking the enclosing scopes. */
import { countLines } from "../../../text/clip.ts";
import type { FileFacts } from "../../facts.ts";
import { type Capture, findMatches, type Match } from "../../syntax/matcher.ts";
import type { Node } from "../../syntax/tree.ts";
import type { LoadedLanguage } from "../parser.ts";
import { addMacroCalls } from "./c/macro_calls.ts";
import { commentsByLine, docBefore } from "./definitions/doc_comments.ts";
import { readItem } from "./item_readers.ts";
import { type Item, itemOf, rankOf } from "./items.ts";
import { OpenFile } from "./open_file.ts";
import { Readers } from "./readers.ts";

export function extract(loaded: LoadedLanguage, text: string, path: string): FileFacts | undefined {
  const prepared = loaded.language.prepareText?.(text) ?? text;
  const found = extractFrom(loaded, prepared, text, path);
  if (found && !found.broken) return found;
  const repaired = loaded.language.repairText?.(text);
  if (repaired !== undefined) {
    const built = extractFrom(loaded, repaired, text, path);
    return definitionsIn(built) >= definitionsIn(found) * MIN_REPAIRED ? built : found;
  }
  if (prepared === text) return found;
  // The grammar cannot read all of the prepared text: the text with more definitions counts.
  const other = extractFrom(loaded, text, text, path);
  return definitionsIn(other) > definitionsIn(found) ? other : found;
}

/** A text of a certain build has not all definitions, but those that it has are in their places. */
const MIN_REPAIRED = 0.6;

/** Functions that are declared only count, too. The grammar takes members of a class that it cannot read for variables. */
function definitionsIn(facts: FileFacts | undefined): number {
  if (!facts) return 0;
  return facts.entities.filter(({ kind }) => kind !== "constant").length + facts.declared.length;
}

function extractFrom(loaded: LoadedLanguage, prepared: string, text: string, path: string): FileFacts | undefined {
  const parsed = loaded.read(prepared);
  if (!parsed) return undefined;
  const readers = new Readers(new OpenFile(loaded.language, text, path));
  const comments = readMatches(readers, findMatches(parsed.tree, loaded.patterns));
  return finish(readers, comments, parsed.isBroken);
}

/** Names a definition: a use of it. */
interface Use {
  node: Node;
  isMember: boolean;
}

/** Reads the items in the order of the text, and returns the comments. */
function readMatches(readers: Readers, matches: readonly Match[]): Node[] {
  const { file, references } = readers;
  const items: Item[] = [];
  const uses: Use[] = [];
  const comments: Node[] = [];
  for (const match of matches) {
    const [{ name, node }] = match.captures as [Capture];
    if (name === "use" || name === "use_member") uses.push({ node, isMember: name === "use_member" });
    else if (name === "comment") comments.push(node);
    else if (name === "key") references.take(node);
    else {
      const item = itemOf(match);
      if (!item) continue;
      items.push(item);
      if (item.tag !== "reassigned") references.take(item.name);
      references.take(item.callee);
      if (item.tag === "extends" || item.tag === "implements") references.take(item.node);
    }
  }
  items.sort((a, b) => a.start - b.start || b.end - a.end || rankOf(a) - rankOf(b));
  uses.sort((a, b) => a.node.startIndex - b.node.startIndex);
  let next = 0;
  for (const item of items) {
    next = addUses(readers, uses, next, item.start);
    file.leaveUntil(item.start);
    readItem(readers, item);
  }
  addUses(readers, uses, next, Number.POSITIVE_INFINITY);
  return comments;
}

/** Adds the uses before an offset, each with the definitions around it. */
function addUses({ file, references }: Readers, uses: readonly Use[], from: number, before: number): number {
  let next = from;
  for (let use = uses[next]; use && use.node.startIndex < before; use = uses[next]) {
    file.leaveUntil(use.node.startIndex);
    references.add(use.node, use.isMember);
    next += 1;
  }
  return next;
}

/** Runs the work that needs all names of the file to be bound, and completes the facts. */
function finish({ file, assignments, references }: Readers, comments: readonly Node[], isBroken: boolean): FileFacts {
  file.finish();
  assignments.finish();
  references.finish();
  const { facts, text, language } = file;
  if (language.family === "c") addMacroCalls(facts, text);
  if (comments[0]) file.exportTypedefs(comments[0]);
  const docs = commentsByLine(comments);
  const lines = docs.size > 0 ? text.split("\n") : [];
  for (const [slot, entity] of facts.entities.entries())
    entity.doc ||= docBefore(docs, entity.first, lines) || (file.bodyDocs.get(slot) ?? "");
  facts.lines = countLines(text);
  facts.broken = isBroken;
  return facts;
}
