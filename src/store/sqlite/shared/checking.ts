/**
 * Checks other members' data before it enters the cache. A segment contains only documents and entries of its writer's
 * own conversations: anyone who could write about those of others could put words into their mouths. A segment that
 * fails a check is left out whole, so that only its writer loses anything.
 */
import type { Message, Part } from "../../../conversations/model.ts";
import { ROLES } from "../../../conversations/model.ts";
import { SLOTS } from "../../../ranking/segment.ts";
import { readBlock } from "../../../ranking/terms/blocks.ts";
import { DamagedBlock } from "../../../ranking/terms/damage.ts";
import { readPostings } from "../../../ranking/terms/postings.ts";
import { checkVectorBlock } from "../../../ranking/vector_blocks.ts";
import { decodeFrame } from "../../archive/frames.ts";
import { unpackDetails } from "../../shared/details.ts";
import type { SharedTables } from "../../shared/segment.ts";
import { segmentChecksum } from "../texts/segments.ts";
import { wordsOf } from "../texts/vector_blocks.ts";
import { GROUPS_PER_SEGMENT } from "./rows.ts";

const MAX_DIMS = 1 << 16;
/** No archive has values nested deeper than this, because redaction does not keep them. */
const MAX_DEPTH = 600;

/** `isTheirs`: whether a conversation belongs to the writer, or no longer to anybody. */
export function checkTables(tables: SharedTables, isTheirs: (conv: number) => boolean): void {
  const { documents, places, roles, lengths, entries, vectors } = tables;
  if (places.length !== documents * 2 || roles.length !== documents || lengths.length !== documents)
    throw new DamagedBlock("a segment's tables differ in length");
  if (segmentChecksum(tables) !== tables.checksum) throw new DamagedBlock("a shared segment has another checksum");
  const convs = new Set<number>();
  const slots = new Set<number>();
  for (let at = 0; at < places.length; at += 2) {
    const [conv, slot] = [places[at] as number, places[at + 1] as number];
    if (slot >= SLOTS) throw new DamagedBlock("a document has an impossible number");
    convs.add(conv);
    slots.add(conv * SLOTS + slot);
  }
  if (slots.size !== documents) throw new DamagedBlock("a document is there twice");
  const described = new Set(entries.map(({ conv }) => conv));
  if (described.size !== entries.length) throw new DamagedBlock("a conversation is described twice");
  for (const conv of [...convs, ...described])
    if (!isTheirs(conv)) throw new DamagedBlock("it is about conversations of others");
  const blocks = new Set<string>();
  for (const { model, dims, first, documents: covered, owners, codes, base } of vectors) {
    const isBlock = isBelow(dims, MAX_DIMS) && dims > 0 && isBelow(base, GROUPS_PER_SEGMENT) && covered >= 0;
    if (!isBlock || first < 0 || first + covered > documents) throw new DamagedBlock("vectors are out of bounds");
    blocks.add(`${model} ${dims} ${first}`);
    checkVectorBlock(wordsOf(owners), wordsOf(codes), documents, dims);
  }
  if (blocks.size !== vectors.length) throw new DamagedBlock("vectors are there twice");
}

/** The blocks of terms and the details that were fetched of a segment. */
export function checkFetched(
  documents: number,
  blocks: Iterable<{ first: string; data: Uint8Array }>,
  details: Iterable<Uint8Array>,
): void {
  for (const { first, data } of blocks) {
    const terms = readBlock(data);
    if (terms[0]?.term !== first) throw new DamagedBlock("it begins with another term");
    for (const { start, end } of terms) readPostings(data, start, end, documents, () => {});
  }
  for (const data of details) unpackDetails(data);
}

/** Whether a block of an archive has messages, as any dex writes them. */
export function hasMessages(data: Uint8Array, maxBytes: number): boolean {
  try {
    const lines = decodeFrame(data, maxBytes).split("\n");
    return lines.every((line) => line === "" || isMessage(JSON.parse(line)));
  } catch {
    return false;
  }
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value) || !Array.isArray(value.parts)) return false;
  const texts = [value.time, value.uid, value.model, value.kind];
  return ROLES.some((role) => role === value.role) && texts.every(isTextOrNothing) && value.parts.every(isPart);
}

function isPart(value: unknown): value is Part {
  if (!isRecord(value)) return false;
  if (value.type === "text" || value.type === "thinking") return typeof value.text === "string";
  if (!isTextOrNothing(value.id)) return false;
  if (value.type === "tool_call") {
    const { name, files, input } = value;
    const areFiles = files === undefined || (Array.isArray(files) && files.every((file) => typeof file === "string"));
    return typeof name === "string" && areFiles && !isDeeper(input, MAX_DEPTH);
  }
  const { type, output, name, agent, exit_code: status } = value;
  const isStatus = status === undefined || typeof status === "number";
  return (
    type === "tool_result" && typeof output === "string" && isTextOrNothing(name) && isTextOrNothing(agent) && isStatus
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isBelow(value: number, limit: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < limit;
}
