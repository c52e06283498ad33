/**
 * The archive of conversations, file by file, against what the index knows of it. A repair keeps what is whole, has the
 * agents' own files read again for the rest, and names what neither of them has any more.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../dex.ts";
import { listArchive } from "../store/archive.ts";
import { checkArchived } from "../store/archive_check.ts";
import type { ArchivedRow } from "../store/ports.ts";
import { cleanLine } from "../text/clean.ts";
import { counted, type Problem, REPAIR } from "./problem.ts";

export interface ArchiveFinding {
  /** Path inside the archive folder. */
  path: string;
  /** Unindexed: sound, but the index does not know it; differs: sound, but not as long as the index says. */
  kind: "missing" | "damaged" | "unreadable" | "unindexed" | "differs";
  row: ArchivedRow | undefined;
}

/** `rows`: what the index knows; undefined where there is no usable index. */
export function examineArchive(folder: string, rows: readonly ArchivedRow[] | undefined): ArchiveFinding[] {
  const known = new Map(rows?.map((row) => [row.archive, row]));
  const findings: ArchiveFinding[] = [];
  for (const path of listArchive(folder)) {
    const row = known.get(path);
    known.delete(path);
    const check = checkArchived(folder, path);
    if (check.state !== "sound") findings.push({ path, kind: check.state, row });
    else if (rows && !row) findings.push({ path, kind: "unindexed", row });
    else if (row && (row.bytes !== check.bytes || row.messages !== check.messages)) {
      findings.push({ path, kind: "differs", row });
    }
  }
  for (const [path, row] of known) findings.push({ path, kind: "missing", row });
  return findings;
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
      (names) => `Archive files are gone: ${names}. ${recoverable(of("missing"))}`,
    ),
    ...entry(
      "archive_unreadable",
      of("unreadable"),
      (names) => `Archive files may not be read: ${names}.`,
      `chmod -R u+rX ${JSON.stringify(folder)}`,
    ),
    ...entry(
      "archive_differs",
      of("unindexed", "differs"),
      (names) => `The archive and the index disagree about ${names}.`,
    ),
  ];
}

/** What a repair can expect of the agents' own files. */
function recoverable(findings: readonly ArchiveFinding[]): string {
  const there = findings.filter(({ row }) => row?.origin != null && existsSync(row.origin)).length;
  if (there === findings.length) return "The agents' own files are still there.";
  return there === 0
    ? "The agents' own files are not there any more."
    : `Of ${there} the agents' own files are still there.`;
}

function nameOf({ row, path }: ArchiveFinding): string {
  return row ? conversationName(row) : path;
}

function conversationName({ title, id, messages }: ArchivedRow): string {
  return `"${cleanLine(title, 60)}" ${id}, ${messages} messages`;
}

/** Conversations that are gone, or shorter than they were, after a repair. */
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
