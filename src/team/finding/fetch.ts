/** Fetches what a question needed and the cache did not have: one statement for each kind, all sent at once. */
import type { SharedCache } from "../../store/engine/shared.ts";
import type { TeamLink } from "../../store/postgres/statements.ts";
import type { Misses } from "../../store/shared/misses.ts";
import { bytes, number, text } from "./values.ts";

/** Rows of one statement; beyond them a further statement is sent. */
const MAX_ASKED = 5000;

export async function fetchMisses(link: TeamLink, cache: SharedCache, misses: Misses): Promise<void> {
  await Promise.all([
    fetchTerms(link, cache, misses.terms),
    fetchGroups(link, cache, misses.groups),
    fetchDetails(link, cache, misses.details),
    fetchBlocks(link, cache, misses.blocks),
  ]);
}

async function fetchTerms(link: TeamLink, cache: SharedCache, terms: Misses["terms"]): Promise<void> {
  const ids = new Map<string, number>();
  const asked: [number, number, string][] = [];
  for (const [id, missing] of terms) {
    const at = cache.serverSegment(id);
    if (!at) continue;
    ids.set(`${at.bucket} ${at.segment}`, id);
    // The server cannot store this character, so no term has it.
    for (const term of missing) if (!term.includes("\0")) asked.push([at.bucket, at.segment, term]);
  }
  for (const part of parts(asked)) {
    const rows = await link.call("termBlocks", part);
    const idOf = (row: Record<string, unknown>): number =>
      ids.get(`${number(row.bucket)} ${number(row.segment)}`) as number;
    cache.addTerms(
      rows.map((row) => ({
        segment: idOf(row),
        term: text(row.term),
        first: row.first === null ? null : text(row.first),
      })),
      rows
        .filter(({ data }) => data instanceof Uint8Array)
        .map((row) => ({ segment: idOf(row), first: text(row.first), data: bytes(row.data) })),
    );
  }
}

async function fetchGroups(link: TeamLink, cache: SharedCache, groups: Misses["groups"]): Promise<void> {
  const numbers = new Map<string, number>();
  for (const group of groups) {
    const { segment, id } = cache.groupOf(group);
    const at = cache.serverSegment(segment);
    if (at) numbers.set(`${at.bucket} ${at.segment} ${id}`, group);
  }
  for (const part of parts([...numbers.keys()].map((key) => key.split(" ").map(Number)))) {
    const rows = await link.call("vectorGroups", part);
    cache.addGroups(
      rows.map((row) => ({
        group: numbers.get(`${number(row.bucket)} ${number(row.segment)} ${number(row.id)}`) as number,
        vectors: bytes(row.vectors),
      })),
    );
  }
}

async function fetchDetails(link: TeamLink, cache: SharedCache, details: Misses["details"]): Promise<void> {
  const ids = new Map<string, number>();
  const asked: number[][] = [];
  for (const [id, firsts] of details) {
    const at = cache.serverSegment(id);
    if (!at) continue;
    ids.set(`${at.bucket} ${at.segment}`, id);
    for (const first of firsts) asked.push([at.bucket, at.segment, first]);
  }
  for (const part of parts(asked)) {
    const rows = await link.call("segmentDetails", part);
    cache.addDetails(
      rows.map((row) => ({
        segment: ids.get(`${number(row.bucket)} ${number(row.segment)}`) as number,
        first: number(row.first),
        data: bytes(row.data),
      })),
    );
  }
}

async function fetchBlocks(link: TeamLink, cache: SharedCache, blocks: Misses["blocks"]): Promise<void> {
  const numbers = new Map<string, { no: number; length: number }>();
  const asked: number[][] = [];
  for (const [no, missing] of blocks) {
    const at = cache.serverConversation(no);
    if (!at) continue;
    for (const [offset, length] of missing) {
      numbers.set(`${at.bucket} ${at.conv} ${offset}`, { no, length });
      asked.push([at.bucket, at.conv, at.generation, offset, length]);
    }
  }
  for (const part of parts(asked)) {
    const rows = await link.call("archiveBlocks", part);
    cache.addBlocks(
      rows.flatMap((row) => {
        const offset = number(row.place);
        const { no, length } = numbers.get(`${number(row.bucket)} ${number(row.conv)} ${offset}`) ?? {
          no: 0,
          length: -1,
        };
        const data = bytes(row.data);
        // Replaced meanwhile: the next segment says where its text is.
        return data.length === length ? [{ no, offset, data }] : [];
      }),
    );
  }
}

function* parts<T>(asked: readonly T[]): Generator<T[]> {
  for (let at = 0; at < asked.length; at += MAX_ASKED) yield asked.slice(at, at + MAX_ASKED);
}
