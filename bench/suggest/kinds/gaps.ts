/**
 * Cases of the warning "not changed yet": at a moment in the middle of a commit, some of its files, in any order, are
 * changed. The warning about another file was right if the commit changed that file, too. A commit may be complete at
 * that moment.
 */
import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { rankPartners } from "../../../src/history/cochange/cochange.ts";
import { MIN_SUPPORT, togetherShare } from "../../../src/history/cochange/gaps.ts";
import { MAX_COCHANGE_FILES } from "../../../src/store/history_records.ts";
import { MAX_GAPS } from "../../../src/suggest/providers/warnings.ts";
import { seeded } from "../../../test/support/random.ts";
import { history } from "../../history/cochange.ts";
import { Past } from "../replay.ts";
import type { Case } from "./cases.ts";

const MAX_PARTNERS = 20;
const SEED = 11;

export async function gapCases(root: string, last: number): Promise<Case[]> {
  const commits = (await history(root)).filter(({ parents }) => parents < 2);
  const past = new Past();
  const deleted = deletions(root);
  const gone = new Set<string>();
  const random = seeded(SEED);
  const found: Case[] = [];
  for (const [at, commit] of commits.entries()) {
    const isSmall = commit.files.length > 0 && commit.file_count <= MAX_COCHANGE_FILES;
    if (isSmall && at >= commits.length - last) {
      const paths = commit.files
        .map(({ path, old }) => ({ path: old ?? path, place: random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ path }) => path);
      const done = paths.slice(0, 1 + Math.floor(random() * paths.length));
      const rest = new Set(paths.slice(done.length));
      for (const { partner } of gapsOf(past, done, gone)) {
        const evidence = [{ kind: "missing_change" as const, strength: 0, features: {}, share: 1 }];
        const head = {
          set: basename(root),
          unit: commit.sha,
          time: commit.time,
          asked: "file",
          type: "warning",
        } as const;
        found.push({ ...head, evidence, useful: rest.has(partner.path) });
      }
    }
    past.add(commit, isSmall);
    for (const { path } of commit.files) gone.delete(path);
    for (const path of deleted.get(commit.sha) ?? []) gone.add(path);
  }
  return found;
}

/** The files that each commit deleted; a history does not tell a deletion from another change. */
function deletions(root: string): Map<string, string[]> {
  const args = ["-C", root, "log", "-z", "-M", "--diff-filter=D", "--name-only", "--format=%x01%H", "HEAD"];
  const text = execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return new Map(
    text
      .split("\u0001")
      .slice(1)
      .map((part): [string, string[]] => {
        const [sha = "", ...paths] = part.split(/[\0\n]+/).filter((each) => each !== "");
        return [sha, paths];
      }),
  );
}

function gapsOf(past: Past, done: readonly string[], gone: ReadonlySet<string>) {
  const changed = new Set(done);
  const all = done.flatMap((file) =>
    rankPartners(file, past.touches(file), (path) => past.count(path), past.total())
      .slice(0, MAX_PARTNERS)
      .map((partner) => ({ file, partner })),
  );
  const best = new Map<string, (typeof all)[number]>();
  for (const each of all) {
    const { path, support, confidence } = each.partner;
    if (support < MIN_SUPPORT || changed.has(path) || !past.exists(path) || gone.has(path)) continue;
    if (togetherShare((other) => past.touches(other), each.file, path, done.length) === undefined) continue;
    if (confidence > (best.get(path)?.partner.confidence ?? -1)) best.set(path, each);
  }
  return [...best.values()].sort((a, b) => b.partner.confidence - a.partner.confidence).slice(0, MAX_GAPS);
}
