/**
 * `search --regex`: conversations with a message whose text matches a regular expression, the latest first. The index
 * rules out what it can; the rest is read from the archive, until the time is over.
 */
import type { Message, Role } from "../../conversations/model.ts";
import { searchableText } from "../../conversations/texts/searchable.ts";
import type { Dex } from "../../dex.ts";
import { BoundedMatching } from "../../kernel/bounded_matching.ts";
import { plural } from "../../kernel/text.ts";
import { type ArchiveBlock, readBlock } from "../../store/archive/archive.ts";
import type { ConversationFilter, ConversationRow } from "../../store/ports.ts";
import { damagedArchive, unlessDamaged } from "../messages.ts";
import { parseQuery } from "../query/query.ts";
import { type Pattern, parsePattern } from "./pattern.ts";

export const MAX_PATTERN_SEARCH_MS = 10_000;
const MAX_CONVERSATIONS = 1_000_000;

export interface PatternHit {
  row: ConversationRow;
  /** The first matching message, its text, and the position of the match. */
  index: number;
  text: string;
  at: number;
  /** The number of matching messages. */
  messages: number;
  roles: ReadonlySet<Role>;
}

export interface PatternHits {
  hits: PatternHit[];
  /** Names the part that was not searched. */
  note?: string;
}

interface Wanted {
  role?: Role;
  tool?: string;
}

export function searchPattern(dex: Dex, typed: string, filter: ConversationFilter, wanted: Wanted): PatternHits {
  const pattern = parsePattern(typed);
  const matching = new BoundedMatching(pattern.regexp, MAX_PATTERN_SEARCH_MS);
  const rows = dex.store.list(filter, MAX_CONVERSATIONS, 0);
  const possible = possibleMessages(dex, pattern, filter);
  const hits: PatternHit[] = [];
  let looked = 0;
  for (const row of rows) {
    if (matching.isOver) break;
    const own = possible?.get(row.no);
    if (!possible || own) hits.push(...hitIn(dex, row, pattern, matching, wanted, own));
    // Of the last one, dex may have read only the beginning.
    if (!matching.isOver) looked += 1;
  }
  const notes: string[] = [];
  if (matching.isOver) {
    notes.push(
      `dex stopped after ${MAX_PATTERN_SEARCH_MS / 1000} s: it had searched ${looked} of ${plural(rows.length, "conversation")} in full, the latest first.`,
    );
  }
  if (matching.skipped > 0) {
    notes.push(
      `The pattern took too long for ${plural(matching.skipped, "message")}, or needed too much memory; dex left out what it had not matched.`,
    );
  }
  return notes.length === 0 ? { hits } : { hits, note: notes.join(" ") };
}

/** By conversation: the messages with the words that every match contains; undefined if there are no such words. */
function possibleMessages(
  dex: Dex,
  { needed }: Pattern,
  filter: ConversationFilter,
): Map<number, Set<number>> | undefined {
  const wholes = needed?.map(({ words }) => parseQuery(words.join(" "))?.whole ?? []);
  if (!wholes || wholes.some((whole) => whole.length === 0)) return undefined;
  const found = new Map<number, Set<number>>();
  for (const whole of wholes) {
    for (const { no, index } of dex.store.holders(whole, { terms: [] }, filter).all()) {
      if (index === null) continue;
      const own = found.get(no) ?? new Set();
      found.set(no, own.add(index));
    }
  }
  return found;
}

function hitIn(
  dex: Dex,
  row: ConversationRow,
  pattern: Pattern,
  matching: BoundedMatching,
  wanted: Wanted,
  possible: ReadonlySet<number> | undefined,
): PatternHit[] {
  let first: Omit<PatternHit, "messages" | "roles"> | undefined;
  let messages = 0;
  const roles = new Set<Role>();
  for (const block of dex.store.blocks(row.no)) {
    if (matching.isOver) break;
    if (possible && !Array.from({ length: block.count }, (_, i) => block.first + i).some((i) => possible.has(i)))
      continue;
    const read = unlessDamaged(dex, () => messagesIn(dex, row, block, pattern), []).filter(
      ({ index, message }) => (!possible || possible.has(index)) && isWanted(message, wanted),
    );
    const texts = read.map(({ message }) => message.parts.map(searchableText).join("\n").normalize("NFC"));
    for (const at of matching.matching(texts)) {
      const { index, message } = read[at] as (typeof read)[number];
      const text = texts[at] as string;
      first ??= { row, index, text, at: text.search(pattern.regexp) };
      messages += 1;
      roles.add(message.role);
    }
  }
  return first ? [{ ...first, messages, roles }] : [];
}

function isWanted({ role, parts }: Message, wanted: Wanted): boolean {
  if (wanted.role !== undefined && role !== wanted.role) return false;
  const tool = wanted.tool?.toLowerCase();
  return tool === undefined || parts.some((part) => "name" in part && part.name?.toLowerCase() === tool);
}

/** The messages of a block whose line may contain a match. */
function messagesIn(
  dex: Dex,
  row: ConversationRow,
  block: ArchiveBlock,
  { needed, anyCase }: Pattern,
): { index: number; message: Message }[] {
  let bytes: Buffer;
  try {
    bytes = readBlock(dex.paths.archive, row.archive, block);
  } catch (error) {
    throw damagedArchive(row, error);
  }
  const folded = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const branches = needed?.map(({ literals }) => literals.map(folded));
  // As Latin-1, which is fast to make: the literals are ASCII.
  const raw = branches && bytes.toString("latin1");
  const mayMatch = (text: string): boolean => {
    if (!branches) return true;
    const compared = folded(text);
    return branches.some((literals) => literals.every((literal) => compared.includes(literal)));
  };
  if (raw !== undefined && !mayMatch(raw)) return [];
  return bytes
    .toString("utf8")
    .split("\n", block.count)
    .flatMap((line, i) =>
      line === "" || !mayMatch(line) ? [] : [{ index: block.first + i, message: JSON.parse(line) as Message }],
    );
}
