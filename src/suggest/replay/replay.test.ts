/** The effect of a project's own past on the chances of its suggestions. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Decision } from "../../decisions/decision.ts";
import { Dex } from "../../dex.ts";
import { type OpenRepository, withRepository } from "../../project/repository.ts";
import { Diffs } from "./diffs.ts";
import { fitShifts, type Outcome } from "./fit_shifts.ts";
import { momentsOf } from "./moments.ts";
import { replayedAt } from "./outcomes_at.ts";
import { prepareShifts } from "./prepare_shifts.ts";
import { MAX_KIND_SHIFT_LOGITS, storedShifts } from "./stored_shifts.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const HOUR_S = 3600;

const FILLER = Array.from({ length: 40 }, (_, at) => `line ${at}`);

/** Commits in turn change the beginning and the end, so that no two in a row change the same lines. */
function changed(lines: readonly string[], at: number): string[] {
  return at % 2 === 0 ? [`change ${at}`, ...lines] : [...lines, `change ${at}`];
}

interface Pace {
  hours: number;
  author(at: number): string;
}

/** Three hours apart, by different authors. */
const APART: Pace = { hours: 3, author: (at) => `Author ${at}` };

/** A repository whose commits touch these files. */
function repositoryWith(commits: readonly (readonly string[])[], { hours, author } = APART): string {
  const folder = mkdtempSync(join(tmpdir(), "dex-replay-"));
  folders.push(folder);
  const git = (args: readonly string[], env: Record<string, string> = {}): void => {
    execFileSync("git", ["-C", folder, ...args], { env: { ...process.env, ...env }, stdio: "ignore" });
  };
  git(["init", "--quiet"]);
  const lines = new Map<string, string[]>();
  const begin = Math.floor(Date.UTC(2026, 0, 5) / 1000);
  for (const [at, files] of commits.entries()) {
    for (const file of files) lines.set(file, changed(lines.get(file) ?? FILLER, at));
    for (const file of files) writeFileSync(join(folder, file), (lines.get(file) ?? []).join("\n"));
    git(["add", "."]);
    const date = `${begin + at * hours * HOUR_S} +0000`;
    const who = { GIT_AUTHOR_NAME: author(at), GIT_COMMITTER_NAME: "x", GIT_AUTHOR_EMAIL: "a@example.com" };
    const when = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_COMMITTER_EMAIL: "a@example.com" };
    git(["commit", "--quiet", "-m", `Tide ${at}`], { ...who, ...when });
  }
  return folder;
}

async function replayed<T>(folder: string, work: (dex: Dex, open: OpenRepository) => Promise<T>): Promise<T> {
  const dex = await Dex.open({ vars: { DEX_HOME: join(folder, ".git", "dex") }, cwd: folder });
  try {
    return await withRepository(dex, folder, {}, (open) => work(dex, open));
  } finally {
    dex.close();
  }
}

test("work that goes on where the last commit was raises the chance of changes, work elsewhere lowers it", async () => {
  const shift = (commits: readonly (readonly string[])[]): Promise<number> =>
    replayed(repositoryWith(commits), async (dex, open) => {
      await prepareShifts(dex, open, undefined, {});
      return storedShifts(open.history).change_here ?? 0;
    });
  const together = await shift(Array.from({ length: 9 }, () => ["a.ts", "b.ts", "c.ts"]));
  assert.ok(together > 0.2, `together: ${together}`);
  const other = (at: number): string => `other${at}.ts`;
  const apart = await shift(Array.from({ length: 9 }, (_, at) => ["a.ts", other(at), other(at + 20), other(at + 40)]));
  assert.ok(apart < together, `apart: ${apart}`);
  assert.equal(await shift([["a.ts"]]), 0, "one commit shows nothing");
});

test("an author's decision in a commit of the same sitting proves nothing about decisions", async () => {
  const cases = (pace: Pace): Promise<(boolean | undefined)[]> =>
    replayed(
      repositoryWith(
        [
          ["a.ts", "b.ts"],
          ["a.ts", "b.ts"],
        ],
        pace,
      ),
      async (dex, { history, repository, links }) => {
        const [later, earlier] = momentsOf(dex, { history, links });
        assert.ok(later?.commit && earlier?.commit);
        const made: Decision = {
          id: "aaaa1111",
          text: "Use tides instead of waves",
          because: null,
          alternatives: ["waves"],
          files: ["a.ts", "b.ts"],
          symbols: [],
          score: 6,
          origin: "commit",
          owner: earlier.commit.sha,
          place: earlier.commit.sha,
          time: earlier.time,
          status: "accepted",
          superseded_by: null,
          shown: true,
        };
        const [settings, index] = [dex.settings, dex.store];
        const sources = { settings, index, repository, history, graph: undefined, decisions: [made] };
        const [aboutFile] = await replayedAt(dex, sources, later, new Diffs(repository.root));
        return (aboutFile ?? []).filter(({ type }) => type === "decision").map(({ useful }) => useful);
      },
    );
  assert.deepEqual(await cases(APART), [true]);
  assert.deepEqual(await cases({ hours: 1, author: () => "Ada" }), []);
  assert.deepEqual(await cases({ ...APART, author: () => "Ada" }), [true], "a later sitting");
  assert.deepEqual(await cases({ ...APART, hours: 1 }), [true], "another author");
});

test("moments are replayed once: the next refresh adds only new ones", async () => {
  await replayed(repositoryWith([["a.ts"], ["a.ts", "b.ts"], ["a.ts", "b.ts"]]), async (dex, open) => {
    let steps = 0;
    const context = { progress: () => (steps += 1) };
    await prepareShifts(dex, open, undefined, context);
    assert.equal(steps, 3);
    await prepareShifts(dex, open, undefined, context);
    assert.equal(steps, 3);
  });
});

test("a few outcomes move a chance little, many move it to the share of use, none moves it beyond the limit", () => {
  const outcomes = (count: number, used: number, chance: number): Outcome[] =>
    Array.from({ length: count }, (_, at) => ({ kind: "conversation_asked", chance, useful: at < used, weight: 1 }));
  const moved = (list: Outcome[]): number => fitShifts(list).conversation_asked ?? 0;
  assert.ok(Math.abs(moved(outcomes(2, 2, 0.4))) < 0.3);
  const many = moved(outcomes(300, 180, 0.4));
  assert.ok(Math.abs(1 / (1 + Math.exp(-(Math.log(0.4 / 0.6) + many))) - 0.6) < 0.02, String(many));
  assert.equal(moved(outcomes(3000, 0, 0.9)), -MAX_KIND_SHIFT_LOGITS);
  assert.deepEqual(fitShifts([]), {});
});

test("a damaged row of shifts counts as none", () => {
  const stored = (text: string | undefined) => storedShifts({ getValue: () => text });
  assert.deepEqual(stored(undefined), {});
  assert.deepEqual(stored("{nonsense"), {});
  assert.deepEqual(stored('{"change_here":"1","unknown":1,"change_near":99}'), { change_near: MAX_KIND_SHIFT_LOGITS });
});
