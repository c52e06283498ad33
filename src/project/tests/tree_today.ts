/**
 * The working tree as the judgement of test failures needs it: where tests are defined, and what changed since a run, by
 * commits, by uncommitted changes, by edits in conversations and by the log of HEAD. Everything that needs git is asked
 * beforehand and within limits.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { workingChanges } from "../../history/cochange/gaps.ts";
import { git } from "../../history/git.ts";
import type { TreeToday } from "../../history/outcomes/failing.ts";
import { isAfter, type TestState } from "../../history/outcomes/latest.ts";
import { findRepository, insidePath, readGitFile } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import type { CodeReader } from "../../store/code.ts";
import type { SeenEdit } from "../../store/history_records.ts";
import type { OpenRepository } from "../repository.ts";
import { coverageOf, filesWith, type NamedTest, namedTest } from "./test_files.ts";

/** The most tests without a known file whose names git searches for. */
const MAX_SEARCHED_TESTS = 30;
const MAX_FOUND_BYTES = 1 << 20;
const MAX_HEADS = 20;
const MAX_REFLOG_BYTES = 8 << 20;
const TEST_FILE = /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)(?:[/._-]|$)|(?:Test|Tests|Spec)\.\w+$/;

type Project = Pick<OpenRepository, "repository" | "history">;

/** `failed`: the tests that will be asked about. `edits`: of the conversations about the repository. */
export async function treeToday(
  open: Project,
  graph: CodeReader | undefined,
  failed: readonly TestState[],
  edits: readonly SeenEdit[],
): Promise<TreeToday> {
  const here = new Map<string, boolean>();
  const files = await definingFiles(open, failed);
  const changes = await changesSince(open, failed, edits);
  const coverage = new Map<string, (path: string) => boolean>();
  return {
    isHere: (folder) => {
      const known = here.get(folder) ?? isInTree(open, folder);
      here.set(folder, known);
      return known;
    },
    filesOf: (test) => files.get(test),
    changeSince: (test, paths) => {
      const key = paths.join("\0");
      const covers = coverage.get(key) ?? coverageOf(graph, paths);
      coverage.set(key, covers);
      return changes(test, covers);
    },
  };
}

/** False for another worktree, a clone inside this one, and a folder that is gone. */
function isInTree({ repository }: Project, folder: string): boolean {
  if (!existsSync(folder)) return false;
  return repository.git ? findRepository(folder)?.root === repository.root : folder.startsWith(repository.root);
}

async function definingFiles(
  { repository }: Project,
  failed: readonly TestState[],
): Promise<Map<TestState, readonly string[]>> {
  const found = new Map<TestState, readonly string[]>();
  const searched = new Map<string, string[]>();
  for (const test of failed) {
    const named = namedTest(repository, test);
    const own = filesWith(repository, named);
    const [mark] = named.marks;
    if (own.length > 0) found.set(test, own);
    if (own.length > 0 || mark === undefined || !repository.git) continue;
    if (!searched.has(mark) && searched.size < MAX_SEARCHED_TESTS) searched.set(mark, await search(repository, named));
    const elsewhere = searched.get(mark) ?? [];
    if (elsewhere.length > 0) found.set(test, elsewhere);
  }
  return found;
}

async function search(repository: Project["repository"], { marks }: NamedTest): Promise<string[]> {
  try {
    const args = ["grep", "-l", "-z", "-I", "-F", "--no-color", "--untracked", "-e", marks[0] ?? ""];
    const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_FOUND_BYTES });
    return text.split("\0").filter((path) => TEST_FILE.test(path));
  } catch (error) {
    // Without an answer the test counts as gone, and its state as unknown.
    if (error instanceof DexError) return [];
    throw error;
  }
}

type ChangeSince = (test: TestState, covers: (path: string) => boolean) => string | undefined;

async function changesSince(
  open: Project,
  failed: readonly TestState[],
  edits: readonly SeenEdit[],
): Promise<ChangeSince> {
  const { repository, history } = open;
  const oldest = failed.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const commits = failed.length === 0 ? [] : commitsAfter(open, oldest);
  const dirty = failed.length === 0 ? [] : await dirtyFiles(open);
  const moved = await movesOf(open, failed);
  const known = new Map<number, string[]>();
  const filesOf = (no: number): string[] => {
    const paths = known.get(no) ?? history.filesOf(no).map(({ path }) => path);
    known.set(no, paths);
    return paths;
  };
  const edited = edits.map((edit) => ({
    ...edit,
    inside: edit.path === "" ? "" : insidePath(repository, edit.path, repository.root),
  }));
  return (test, covers) => {
    const edit = edited.find(
      (each) => !isAfter(test, each) && each.inside !== undefined && (each.inside === "" || covers(each.inside)),
    );
    if (edit)
      return edit.inside === ""
        ? `a command changed the files since (${edit.place})`
        : `${edit.inside} was edited since (${edit.place})`;
    const uncommitted = dirty.find(({ path, changed }) => changed > test.time && covers(path));
    if (uncommitted) return `${uncommitted.path} was changed since`;
    if (commits.length >= MAX_COMMITS && (commits.at(-1)?.time ?? 0) > test.time) return "many commits were made since";
    for (const { sha, time, no } of commits) {
      const touched = time > test.time && filesOf(no).find(covers);
      if (touched) return `${touched} was changed since, in ${sha.slice(0, 8)}`;
    }
    return moved(test, covers);
  };
}

/** If there are more commits since a failure, only the latest are examined. */
const MAX_COMMITS = 2000;

function commitsAfter({ history }: Project, time: number): { sha: string; time: number; no: number }[] {
  return history.recent(MAX_COMMITS).filter((commit) => commit.time > time);
}

async function dirtyFiles({ repository }: Project): Promise<{ path: string; changed: number }[]> {
  try {
    const paths = await workingChanges(repository);
    return paths.flatMap((path) => {
      const stats = statSync(join(repository.root, path), { throwIfNoEntry: false });
      // A deleted file has no time; it may have been deleted just now.
      return [{ path, changed: stats ? Math.floor(stats.mtimeMs) : Number.POSITIVE_INFINITY }];
    });
  } catch (error) {
    if (error instanceof DexError) return [];
    throw error;
  }
}

/** Files that differ between the commit of HEAD at the time of a run and now: another branch, a pull, a reset. */
async function movesOf({ repository }: Project, failed: readonly TestState[]): Promise<ChangeSince> {
  const log = headLog(repository.gitDir);
  const headAt = (time: number): string | undefined => log.findLast((entry) => entry.time <= time)?.sha;
  const differing = new Map<string, readonly string[] | undefined>();
  for (const { time } of failed) {
    const sha = headAt(time);
    if (sha === undefined || sha === repository.head || differing.has(sha) || differing.size >= MAX_HEADS) continue;
    differing.set(sha, await filesBetween(repository.root, sha, repository.head ?? "HEAD"));
  }
  return ({ time }, covers) => {
    const sha = headAt(time);
    if (sha === undefined || sha === repository.head) return undefined;
    const paths = differing.get(sha);
    if (!paths) return "HEAD has moved since, from a commit that is gone";
    const path = paths.find(covers);
    return path === undefined ? undefined : `${path} was changed since, when HEAD moved`;
  };
}

function headLog(gitDir: string): { sha: string; time: number }[] {
  const text = readGitFile(join(gitDir, "logs", "HEAD"), MAX_REFLOG_BYTES) ?? "";
  return text.split("\n").flatMap((line) => {
    const match = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t/.exec(line);
    return match ? [{ sha: match[1] ?? "", time: Number(match[2]) * 1000 }] : [];
  });
}

async function filesBetween(root: string, from: string, to: string): Promise<string[] | undefined> {
  try {
    const { text, truncated } = await git(root, ["diff", "--name-only", "-z", "--no-renames", from, to, "--"]);
    return truncated ? undefined : text.split("\0").filter((path) => path !== "");
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}
