/**
 * Compares the archive of conversations, file by file, with the index. A repair keeps sound files, reads the agents' own
 * files again for the others, and names the conversations that are in neither.
 */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { listArchive } from "../store/archive/archive.ts";
import { checkArchived } from "../store/archive/check.ts";
import type { ArchivedRow } from "../store/ports.ts";
import { cleanLine } from "../text/clean.ts";
import { counted, type Problem, REPAIR } from "./problem.ts";

export interface ArchiveFinding {
  /** Path inside the archive folder. */
  path: string;
  /** Unindexed: sound, but not in the index; differs: sound, but its length differs from the index. */
  kind: "missing" | "damaged" | "unreadable" | "unindexed" | "differs";
  row: ArchivedRow | undefined;
}

/** `rows`: the index's archived conversations; undefined without a usable index. */
export function examineArchive(folder: string, rows: readonly ArchivedRow[] | undefined): ArchiveFinding[] {
  const known = new Map(rows?.map((row) => [row.archive, row]));
  const findings: ArchiveFinding[] = [];
  for (const path of readableArchive(folder)) {
    const row = known.get(path);
    known.delete(path);
    const check = checkArchived(folder, path);
    if (check.state !== "sound") findings.push({ path, kind: check.state, row });
    else if (rows && !row) findings.push({ path, kind: "unindexed", row });
    else if (row && (row.bytes !== check.bytes || row.messages !== check.messages)) {
      findings.push({ path, kind: "differs", row });
    }
  }
  for (const [path, row] of known) findings.push({ path, kind: isThere(folder, path) ? "unreadable" : "missing", row });
  return findings;
}

/** Empty if a folder in it may not be read: then each of its files is looked at. */
function readableArchive(folder: string): string[] {
  try {
    return listArchive(folder);
  } catch (error) {
    if (error instanceof DexError) return [];
    throw error;
  }
}

/** Also if the system does not let dex see it. */
function isThere(folder: string, path: string): boolean {
  try {
    return lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

export function archiveProblems(folder: string, findings: readonly ArchiveFinding[]): Problem[] {
  const of = (...kinds: ArchiveFinding["kind"][]): ArchiveFinding[] =>
    findings.filter(({ kind }) => kinds.includes(kind));
  const entry = (code: string, found: readonly ArchiveFinding[], say: (names: string) => string, fix = REPAIR) => {
    const [first] = found;
    if (!first) return [];
    const what = say(counted(found.map(nameOf), "archived conversation"));
    return [{ code, what, path: join(folder, first.path), fix }];
  };
  return [
    ...entry(
      "archive_damaged",
      of("damaged"),
      (names) => `Damaged archive files: ${names}. ${recoverable(of("damaged"))}`,
    ),
    ...entry(
      "archive_missing",
      of("missing"),
      (names) => `Archive files are missing: ${names}. ${recoverable(of("missing"))}`,
    ),
    ...entry(
      "archive_unreadable",
      of("unreadable"),
      (names) => `dex may not read archive files: ${names}.`,
      `chmod -R u+rX ${JSON.stringify(folder)}`,
    ),
    ...entry(
      "archive_differs",
      of("unindexed", "differs"),
      (names) => `The archive and the index disagree about ${names}.`,
    ),
  ];
}

/** Says whether the agents' own files still exist, so that a repair can read them again. */
function recoverable(findings: readonly ArchiveFinding[]): string {
  const there = findings.filter(({ row }) => row?.origin != null && existsSync(row.origin)).length;
  if (there === findings.length) return "The agents' own files still exist.";
  return there === 0 ? "The agents' own files no longer exist." : `The agents' own files of ${there} still exist.`;
}

function nameOf({ row, path }: ArchiveFinding): string {
  return row ? conversationName(row) : path;
}

function conversationName({ title, id, messages }: ArchivedRow): string {
  return `"${cleanLine(title, 60)}" ${id}, ${messages} messages`;
}

/** Conversations that are missing, or shorter than before, after a repair. */
export function losses(before: readonly ArchivedRow[], dex: Dex): string[] {
  const now = new Map(dex.store.archivedConversations().map((row) => [`${row.source}\0${row.id}`, row]));
  return before.flatMap((row) => {
    const after = now.get(`${row.source}\0${row.id}`);
    if (!after) return [`The conversation ${conversationName(row)}.`];
    if (after.messages >= row.messages) return [];
    return [
      `${row.messages - after.messages} of the ${row.messages} messages of "${cleanLine(row.title, 60)}" ${row.id}.`,
    ];
  });
}
