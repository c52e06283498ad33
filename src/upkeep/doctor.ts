/**
 * The examination behind `dex doctor` and the repair behind `dex doctor --fix`. dex reads every file below DEX_HOME
 * completely and trusts neither sizes nor dates.
 */
import { existsSync } from "node:fs";
import type { Dex } from "../dex.ts";
import { findPackages, installCommand } from "../embedding/minilm/packages.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { errorMessage } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import type { ArchivedRow } from "../store/ports.ts";
import { reconcile } from "../sync/rebuild.ts";
import { busyError, rebuildIndex, withWriter } from "../sync/writing.ts";
import { type ArchiveFinding, archiveProblems, examineArchive, losses } from "./archive.ts";
import { type DatabaseFinding, databaseProblems, examineDatabases, repairProjects } from "./databases.ts";
import { archivedDocumentProblems, repairArchivedDocuments, repairDocuments } from "./documents.ts";
import { examineFiles, type FileFinding, fileProblems, repairFiles } from "./files.ts";
import { homeProblems } from "./home.ts";
import { type Problem, REPAIR, type Repair } from "./problem.ts";
import { repairState, stateProblems } from "./state.ts";

const LOCK_WAIT_MS = 30_000;

export interface Examination {
  problems: Problem[];
  databases: DatabaseFinding[];
  archive: ArchiveFinding[];
  files: FileFinding[];
  /** Files below DEX_HOME that dex does not know, and does not touch. */
  unknown: string[];
  /** The index's rows of archived conversations; undefined when the index cannot be used. */
  rows: ArchivedRow[] | undefined;
}

/** The parts of an examination, in order, as a person who waits for it reads them. */
export const EXAMINED = ["Checking the databases", "Checking the archive", "Checking the other files"] as const;

/** `next` is awaited before each part. */
export async function examine(
  dex: Dex,
  next: (part: (typeof EXAMINED)[number]) => Promise<void>,
): Promise<Examination> {
  await next(EXAMINED[0]);
  dex.reopen();
  const { paths } = dex;
  const databases = examineDatabases(dex);
  const rows = isSound(databases, "index") ? dex.store.archivedConversations() : undefined;
  await next(EXAMINED[1]);
  const archive = examineArchive(paths.archive, rows);
  await next(EXAMINED[2]);
  const { findings: files, unknown } = examineFiles(paths);
  const problems = [
    ...homeProblems(paths.home),
    ...stateProblems(paths.state),
    ...databaseProblems(dex, databases),
    ...archiveProblems(paths.archive, archive),
    ...archivedDocumentProblems(paths.documentArchive),
    ...fileProblems(files),
    ...(rows ? vectorProblems(dex) : []),
    ...providerProblems(dex),
  ];
  if (existsSync(paths.running)) {
    const what = "The last sync was interrupted.";
    problems.push({ code: "sync_interrupted", what, path: paths.running, fix: REPAIR });
  }
  return { problems, databases, archive, files, unknown, rows };
}

function isSound(databases: readonly DatabaseFinding[], name: DatabaseFinding["name"]): boolean {
  return databases.some((each) => each.name === name && each.check.state === "sound");
}

/** Only for the built-in model: vectors of other models are computed in the background. */
function vectorProblems(dex: Dex): Problem[] {
  const { model: file } = dex.places;
  if (file === undefined) return [];
  const embedder = new StaticEmbedder(file);
  const { name } = embedder;
  embedder.close();
  const { all, models } = dex.store.vectorCoverage();
  const missing = all - (models.find(({ model }) => model.name === name)?.covered ?? 0);
  if (missing <= 0) return [];
  const what = `${plural(missing, "message")} of ${all} have no vectors of ${name}.`;
  return [{ code: "vectors_missing", what, path: dex.paths.index, fix: "dex reindex --vectors" }];
}

/** A package that the provider needs and that is not installed. */
function providerProblems({ settings, paths }: Dex): Problem[] {
  if (settings.embedding.provider !== "minilm") return [];
  try {
    findPackages(paths.home);
    return [];
  } catch (error) {
    return [{ code: "no_provider", what: errorMessage(error), path: null, fix: installCommand(paths.home) }];
  }
}

/** Repairs the user's own data first, then the archive and the index, then everything that can be rebuilt. */
export async function repair(dex: Dex, found: Examination): Promise<Repair> {
  const done: Repair = { fixed: [], lost: [] };
  const add = ({ fixed, lost }: Repair): void => {
    done.fixed.push(...fixed);
    done.lost.push(...lost);
  };
  dex.reopen();
  add(repairState(dex.paths.state, found.problems, dex.now()));
  add(repairFiles(dex.paths, found.files));
  add(await repairConversations(dex, found));
  if (found.problems.some(({ code }) => /^documents_(damaged|missing|outdated)$/.test(code))) {
    add(await repairDocuments(dex));
  }
  if (found.problems.some(({ code }) => code === "collection_damaged")) add(await repairArchivedDocuments(dex));
  add(repairProjects(found.databases));
  dex.reopen();
  return done;
}

async function repairConversations(dex: Dex, { databases, archive, rows }: Examination): Promise<Repair> {
  const fixed: string[] = [];
  const index = databases.find(({ name }) => name === "index");
  const mustRebuild = index !== undefined && index.check.state !== "sound" && archiveIsThere(dex);
  if (mustRebuild) {
    const conversations = await rebuildIndex(dex.places, LOCK_WAIT_MS);
    if (conversations === undefined) throw busyError();
    fixed.push(`Rebuilt the index from the archive: ${plural(conversations, "conversation")}.`);
  } else {
    const damaged = new Set(archive.filter(({ kind }) => kind === "damaged").map(({ path }) => path));
    const request = { places: dex.places, waitMs: LOCK_WAIT_MS, now: dex.now };
    const repaired = await withWriter(request, (writer) => reconcile(writer, dex.places, damaged));
    if (repaired === undefined) throw busyError();
    if (repaired > 0) fixed.push(`Brought ${plural(repaired, "conversation")} in order.`);
  }
  // A damaged index may not know which of the agents' files were read, and so which conversations are missing.
  fixed.push(...(await readAgain(dex, mustRebuild && index?.check.state === "damaged")));
  return { fixed, lost: rows ? losses(rows, dex) : [] };
}

function archiveIsThere(dex: Dex): boolean {
  return existsSync(dex.paths.archive) || existsSync(dex.paths.index);
}

async function readAgain(dex: Dex, full: boolean): Promise<string[]> {
  dex.reopen();
  const totals = await dex.sync({ full });
  dex.reopen();
  if (!totals || totals.new + totals.updated === 0) return [];
  return [`Read again from the agents: ${totals.new} new, ${totals.updated} updated.`];
}
