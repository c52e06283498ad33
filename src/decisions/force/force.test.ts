/** Whether a decision is in force: later words against it, and the names it relies on in today's code. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { commitInfo } from "../../../test/support/histories/commit_info.ts";
import { TestRepository, temporaryFolder } from "../../../test/support/repository.ts";
import { repositoryOrFolder } from "../../history/repository.ts";
import { updateHistory } from "../../history/update.ts";
import { openHistory } from "../../store/engine/history.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { Verdict } from "../../store/state/recorded.ts";
import { type Decision, decisionId } from "../decision.ts";
import { projectDecisions } from "../project.ts";
import { alternativesOf } from "../wording/alternatives.ts";
import { choiceIn } from "./choices.ts";
import { namesReliedOn } from "./names.ts";
import { type CodeToday, settleStatuses } from "./status.ts";
import { namesInTree } from "./tree.ts";

function decision(text: string, more: Partial<Decision> = {}): Decision {
  return {
    id: decisionId(text),
    origin: "commit",
    owner: "0".repeat(40),
    place: "000000000000",
    text,
    because: null,
    alternatives: alternativesOf(text),
    files: ["src/clock.ts"],
    symbols: [],
    score: 7,
    time: 1,
    status: "accepted",
    superseded_by: null,
    shown: true,
    ...more,
  };
}

/** A history of these commits, each of which changed these files. */
function historyOf(commits: readonly { subject: string; body?: string; files?: string[] }[]): HistoryReader {
  const infos = commits.map(({ subject, body = "" }, i) => {
    const time = 10 * (i + 1);
    return commitInfo(subject, { no: i + 1, sha: `${i + 1}`.padStart(40, "a"), authored: time, time, body });
  });
  const empty = openHistory("/nowhere/history.db");
  return Object.assign(Object.create(empty) as HistoryReader, {
    newer: () => infos,
    recent: () => infos.slice(-1),
    filesOf: (no: number) => (commits[no - 1]?.files ?? []).map((path) => ({ path })),
    reverts: () => [],
    nameToday: (path: string) => path,
    commitsOf: () => [],
  });
}

const everything: CodeToday = { names: (wanted) => new Set(wanted), dependency: () => false, file: () => true };

function statusesOf(found: Decision[], history: HistoryReader, today: CodeToday = everything): (string | null)[][] {
  return settleStatuses(found, history, new Map(), today).map(({ status, superseded_by }) => [status, superseded_by]);
}

test("both sides of a sentence", () => {
  for (const [sentence, adopts, drops] of [
    ["Use Temporal instead of moment, because moment is not maintained.", "temporal", "moment"],
    ["replace `moment` with Temporal (#12)", "temporal", "moment"],
    ["We switched from moment to Temporal.", "temporal", "moment"],
    ["remove moment in favor of Temporal", "temporal", "moment"],
    ["I chose Temporal over moment so that durations are exact.", "temporal", "moment"],
    ["remove the moment dependency", undefined, "moment"],
  ] as const) {
    assert.deepEqual(choiceIn(sentence), { adopts, drops }, sentence);
  }
  assert.equal(choiceIn("Adds a clock that is not shown at night."), undefined);
});

test("a later commit supersedes a decision: it takes the choice back, removes it, or replaces it", () => {
  const older = decision("Use `performance.now` instead of `Date.now` so that the clock never jumps.");
  for (const subject of [
    "use `Date.now` instead of `performance.now`",
    "replace performance.now with process.hrtime",
    "refactor: remove performance.now",
  ]) {
    const against = historyOf([{ subject, files: ["src/clock.ts"] }]);
    assert.deepEqual(statusesOf([older], against), [["superseded", "a".repeat(12)]], subject);
  }
  for (const subject of ["use performance.now instead of process.hrtime", "remove the clock", "fix the clock"]) {
    assert.deepEqual(statusesOf([older], historyOf([{ subject, files: ["src/clock.ts"] }])), [["accepted", null]]);
  }
  const common = decision("Use a map instead of a list, because keys repeat.");
  const elsewhere = historyOf([{ subject: "use a list instead of an array", files: ["src/other.ts"] }]);
  assert.deepEqual(statusesOf([common], elsewhere), [["accepted", null]], "a common word, in another file");
});

test("going back to what a decision rejected supersedes it, in any source; only that", () => {
  const older = decision("use luxon instead of moment for dates", { origin: "conversation", files: [] });
  const rule = decision("we don't use axios here", { origin: "conversation", files: [], alternatives: ["axios"] });
  const said = (text: string): (string | null)[] | undefined =>
    statusesOf([older, rule, decision(text, { origin: "conversation", files: [], time: 5 })], historyOf([])).find(
      ([, by]) => by === decisionId(text),
    );
  for (const text of [
    "we went back to moment because luxon broke old time zones",
    "let's go back to moment",
    "we switched back from luxon to moment, because of the zones",
    "Use moment instead of luxon.",
    "we went back to axios because fetch has no interceptors",
    "Use axios instead of fetch for uploads.",
  ])
    assert.deepEqual(said(text), ["superseded", decisionId(text)], text);
  for (const text of [
    "we went back to luxon because moment is gone",
    "Use ky instead of fetch.",
    "go back to the list",
  ])
    assert.equal(said(text), undefined, text);
  const commit = historyOf([{ subject: "build: move back to moment", files: ["src/other.ts"] }]);
  assert.deepEqual(statusesOf([older], commit), [["superseded", "a".repeat(12)]]);
});

test("a proposal not carried out yet is not historic, and a choice beside the old one still holds", () => {
  const before: CodeToday = { names: () => new Set(), dependency: (name) => name === "moment", file: () => true };
  const text = "use luxon instead of moment for dates in src/date.ts";
  const proposal = decision(text, { origin: "conversation", status: "proposed", time: 20 });
  assert.deepEqual(statusesOf([proposal], historyOf([{ subject: "begin" }]), before), [["proposed", null]]);
  const late = { ...historyOf([]), recent: () => [{ time: 20 + 15 * 86_400_000 }] as CommitInfo[] };
  const history = Object.assign(Object.create(historyOf([])) as HistoryReader, late);
  assert.deepEqual(statusesOf([proposal], history, before), [["historic", null]], "15 days later");
  const both: CodeToday = { ...everything, dependency: () => true };
  assert.deepEqual(statusesOf([{ ...proposal, status: "accepted" }], historyOf([]), both), [["accepted", null]]);
});

test("a commit that repeats a subject after “Revert” reverts its decisions", () => {
  const history = historyOf([
    { subject: "perf: use mmap instead of read" },
    { subject: 'Revert "perf: use mmap instead of read" (#7)' },
  ]);
  const reverted = decision("use mmap instead of read", { owner: "1".padStart(40, "a"), time: 10 });
  assert.deepEqual(statusesOf([reverted], history), [["reverted", null]]);
});

test("a decision whose names are gone is historic; one that removes them is not, and a record says so itself", () => {
  const gone: CodeToday = { names: () => new Set(), dependency: (name) => name === "left-pad", file: () => true };
  const history = historyOf([]);
  const historic = (text: string, more: Partial<Decision> = {}, today = gone): boolean =>
    statusesOf([decision(text, more)], history, today)[0]?.[0] === "historic";
  assert.ok(historic("Keep `parseClock` synchronous, because every caller is."));
  assert.ok(
    historic("Use pad-start instead of left-pad.", {}, { ...everything, dependency: gone.dependency }),
    "it is back",
  );
  assert.ok(!historic("The option `--utc` is no longer supported."));
  assert.ok(!historic("Every request is answered in the order it came, because clients count."), "it names nothing");
  for (const origin of ["adr", "user", "marker"] as const)
    assert.ok(!historic("Keep `parseClock`.", { origin }), origin);
  const moved: CodeToday = { ...everything, file: () => false };
  assert.ok(historic("Use a map instead of a list, because keys repeat.", {}, moved), "its files are gone");
  const unknown: CodeToday = { names: () => undefined, dependency: () => false, file: () => true };
  assert.ok(!historic("Keep `parseClock` synchronous, because every caller is.", {}, unknown), "too large a tree");
});

test("a decision relies on the names in the option that it adopts", () => {
  const names = (text: string): string[] =>
    namesReliedOn({ text, alternatives: alternativesOf(text), origin: "commit" });
  assert.deepEqual(names("Use `store.open()` instead of `readFile`."), ["open"]);
  assert.deepEqual(names("Use got-it instead of fetch-it."), ["got-it"]);
  assert.deepEqual(names("Keep `src/clock.ts` and --utc as they are."), ["src/clock.ts", "--utc"]);
  assert.deepEqual(names("Remove `oldClock`."), []);
  const said = "I chose a timer over a counter in `src/clock.ts` because `parseClock` is slow.";
  assert.deepEqual(namesReliedOn({ text: said, alternatives: alternativesOf(said), origin: "conversation" }), [
    "parseclock",
  ]);
});

test("names are looked up in code, not in documentation or lock files", (t) => {
  const root = mkdtempSync(join(tmpdir(), "dex-tree-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "clock.ts"), "export function parseClock() { return now('--utc'); }\n");
  writeFileSync(join(root, "NOTES.md"), "oldClock\n");
  writeFileSync(join(root, "yarn.lock"), "got-it\n");
  const files = ["src/clock.ts", "NOTES.md", "yarn.lock", "gone.ts"];
  const wanted = ["parseclock", "clock", "--utc", "oldclock", "got-it", "src/clock.ts", "parse"];
  const seen = namesInTree(repositoryOrFolder(root), files, wanted);
  assert.deepEqual([...(seen ?? [])].sort(), ["--utc", "clock", "parseclock", "src/clock.ts"]);
});

test("a decision is about its files under their names of today", async () => {
  const repo = new TestRepository();
  const text = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n");
  repo.commit("build: keep times in UTC\n\nDecision: keep times in UTC, because clocks jump", { "src/clock.ts": text });
  repo.git("mv", "src/clock.ts", "src/time.ts");
  repo.commit("refactor: a better name");
  const repository = repositoryOrFolder(repo.root);
  const folder = temporaryFolder();
  await updateHistory(repository, folder);
  const none = { conversations: [], own: [], load: () => [], verdicts: new Map<string, Verdict>() };
  const [found] = await projectDecisions({ repository, folder, ...none });
  assert.deepEqual([found?.origin, found?.files], ["trailer", ["src/time.ts"]]);
});
