/**
 * Measures how often `dex restore` equals what was committed. docs/internals/quality/history.md has the figures.
 *
 *   DEX_HOME=<a synced home> node bench/history/restore.ts <repository> …
 *
 * Each file that a conversation edited is reconstructed and compared with the next three commits of the file within a day.
 */
import { Dex } from "../../src/dex.ts";
import { git } from "../../src/history/git.ts";
import { insidePath } from "../../src/history/repository.ts";
import { committedVersions } from "../../src/history/restore/committed.ts";
import { type FileVersion, reconstruct } from "../../src/history/restore/reconstruct.ts";
import { conversationLoader } from "../../src/project/loading.ts";
import { type OpenRepository, withRepository } from "../../src/project/repository.ts";
import { redactText } from "../../src/redact/redact.ts";
import type { TrailConversation } from "../../src/store/trails.ts";

const DAY_MS = 86_400_000;
const COMPARED_COMMITS = 3;
const MAX_COMMITS = 1000;
const NEARLY_EQUAL = 0.97;

const dex = await Dex.open();
for (const repository of process.argv.slice(2)) {
  await withRepository(dex, repository, {}, async (open) => {
    const totals = { pairs: 0, known: 0, committed: 0, equal: 0, near: 0 };
    const bases = new Map<string, { committed: number; equal: number }>();
    for (const row of open.links.conversations) {
      for (const file of editedFiles(open, row)) {
        const last = (await versionsOf(open, row, file)).at(-1);
        if (!last) continue;
        totals.pairs += 1;
        if (typeof last.text !== "string") continue;
        totals.known += 1;
        const blobs = await committedAfter(open, file, last.time);
        if (blobs.length === 0) continue;
        const base = bases.get(last.base?.from ?? "") ?? { committed: 0, equal: 0 };
        bases.set(last.base?.from ?? "", base);
        totals.committed += 1;
        base.committed += 1;
        if (blobs.includes(last.text)) {
          totals.equal += 1;
          base.equal += 1;
        }
        const { text } = last;
        if (blobs.some((blob) => sharedLines(text, blob) >= NEARLY_EQUAL)) totals.near += 1;
      }
    }
    console.log(open.repository.root, totals, Object.fromEntries(bases));
  });
}

function editedFiles(open: OpenRepository, row: TrailConversation): Set<string> {
  const edited = dex.store.files(row.no).filter(({ how }) => how === "edited");
  const inside = edited.flatMap(({ path }) => insidePath(open.repository, path, row.project) ?? []);
  return new Set(inside.filter((path) => open.history.countOf(path) > 0));
}

function versionsOf(open: OpenRepository, row: TrailConversation, file: string): Promise<FileVersion[]> {
  const commits = open.history.commitsOf(file, MAX_COMMITS);
  const names = new Set([file, ...commits.flatMap(({ path, old }) => (old === null ? [path] : [path, old]))]);
  return reconstruct(conversationLoader(dex)(row), {
    isFile: (path) => names.has(insidePath(open.repository, path, row.project) ?? ""),
    fallback: row.updated,
    committed: (after, before) => committedVersions(open, file, after, before),
  });
}

async function committedAfter(open: OpenRepository, file: string, time: number): Promise<string[]> {
  const commits = open.history
    .commitsOf(file, MAX_COMMITS)
    .filter(({ authored, parents }) => parents < 2 && authored >= time - 1000 && authored <= time + DAY_MS)
    .sort((a, b) => a.authored - b.authored)
    .slice(0, COMPARED_COMMITS);
  const blobs: string[] = [];
  for (const { sha, path } of commits) {
    const { text } = await git(open.repository.root, ["cat-file", "blob", `${sha}:${path}`], {
      allowedExitCodes: [128],
    });
    blobs.push(redactText(text).text);
  }
  return blobs;
}

/** The share of the lines of the first text that the second one has. */
function sharedLines(text: string, other: string): number {
  const there = new Set(other.split("\n"));
  const lines = text.split("\n");
  return lines.filter((line) => there.has(line)).length / lines.length;
}
