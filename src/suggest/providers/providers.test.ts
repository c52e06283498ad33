/** Single providers, each with a view of the project that contains only the data it reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Decision } from "../../decisions/decision.ts";
import type { SeenOutcome } from "../../store/history_records.ts";
import { chanceIn, combinedChance } from "../combine.ts";
import type { Candidate, Focus, FocusFile, ProjectView } from "../evidence.ts";
import type { MatchedSection } from "../view/documents.ts";
import { recentChanges } from "./changes.ts";
import { relatedDecisions } from "./decisions.ts";
import { relatedDocuments } from "./documents.ts";
import { warningsAbout } from "./warnings.ts";

const NOW = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;
const OPEN: FocusFile = { path: "src/ledger.ts", share: 1, how: "open" };

/** Everything that a provider may look at but does not find here is missing on purpose: it would fail. */
function ground(more: Partial<ProjectView>, focus: Partial<Focus> = {}): ProjectView {
  const found = { files: [OPEN], symbols: [], names: [], question: undefined, own: new Set<number>(), ...focus };
  const empty = {
    shifts: {},
    least: () => 0,
    failing: () => [],
    deprecated: () => [],
    decisions: () => [],
    likeness: () => null,
    graph: undefined,
    changed: undefined,
  };
  return { activity: { folder: "/srv", recent: [] }, focus: found, now: NOW, ...empty, ...more } as ProjectView;
}

/** A history without commits. */
const NO_COMMITS = { latestTouches: () => [] } as unknown as ProjectView["history"];

function textOf(text: Candidate["title"] | undefined): string {
  return typeof text === "function" ? text() : (text ?? "");
}

function decision(more: Partial<Decision>): Decision {
  return {
    id: "aaaa1111",
    text: "Amounts are whole cents",
    because: "floats do not add up",
    alternatives: ["floats"],
    files: [],
    symbols: [],
    score: 10,
    origin: "adr",
    owner: "",
    place: "docs/adr/1.md:3",
    time: NOW,
    status: "accepted",
    superseded_by: null,
    shown: true,
    ...more,
  };
}

test("decisions about the open file, a symbol or the question are suggested, and no others", () => {
  const about = decision({ files: ["src/ledger.ts"] });
  const other = decision({ id: "bbbb2222", text: "Logs rotate", files: ["src/log.ts"], because: null });
  const [found, ...rest] = relatedDecisions(ground({ decisions: () => [about, other] }));
  assert.deepEqual(rest, []);
  assert.equal(found?.entityId, "decision:aaaa1111");
  assert.equal(found?.actionUrl, "docs/adr/1.md:3");
  assert.equal(
    typeof found?.summary === "function" ? found.summary() : "",
    "Amounts are whole cents (because: floats do not add up; not taken: floats)",
  );
  assert.deepEqual(
    found?.evidence.map(({ kind }) => kind),
    ["decision_stated"],
  );
  const said = decision({
    files: ["src/ledger.ts"],
    text: "Use `json5` instead of `subagent`, so files have comments",
    because: "files have comments",
    alternatives: ["`subagent`"],
  });
  const [once] = relatedDecisions(ground({ decisions: () => [said] }));
  assert.equal(typeof once?.summary === "function" ? once.summary() : "", said.text);
  const named = relatedDecisions(ground({ decisions: () => [decision({ symbols: ["post"] })] }, { names: ["post"] }));
  assert.deepEqual(
    named[0]?.evidence.map(({ reason }) => reason),
    ["decided about post"],
  );
  const activity = { folder: "/srv", recent: [], prompt: "why are amounts whole cents?" };
  const asked = relatedDecisions(ground({ activity, decisions: () => [decision({}), other] }));
  assert.deepEqual(
    asked.map(({ entityId }) => entityId),
    ["decision:aaaa1111"],
  );
});

test("a record fits a prompt by its title, not by words somewhere in its text", () => {
  const record = (title: string, rest: string): Decision =>
    decision({
      id: title,
      origin: "adr",
      text: `${title}: ${rest}`,
      symbols: ["runner", "eval"],
      files: ["docs/adr/eval-runner.md"],
    });
  const records = [
    record("Conflict-free sync of results", "The eval runner retries, and the option is off."),
    record("Retries of the eval runner", "Three at most."),
    ...Array.from({ length: 8 }, (_, i) => record(`Colour ${i} of the chart`, "Blue.")),
  ];
  const activity = { folder: "/srv", recent: [], prompt: "add a retry option to the eval runner" };
  const found = relatedDecisions(ground({ activity, decisions: () => records }));
  const chances = new Map(found.map(({ entityId, evidence }) => [entityId, combinedChance(evidence, chanceIn({}))]));
  assert.ok((chances.get("decision:Retries of the eval runner") ?? 0) > 0.5);
  assert.ok((chances.get("decision:Conflict-free sync of results") ?? 0) < 0.1);
});

test("of decisions with the same words, the one that is more similar to the prompt and has its rarest word is likelier", () => {
  const found = (text: string, id: string): Decision => decision({ id, text, origin: "commit", because: null });
  const decisions = [
    found("Remove the deprecated plugin type of the server", "1"),
    found("Remove the deprecated request type of the server", "2"),
    found("Remove the deprecated alias of the server", "3"),
    found("Gaskets are ordered by weight", "4"),
  ];
  const chances = (prompt: string, likeness: ProjectView["likeness"]): Map<string, number> => {
    const activity = { folder: "/srv", recent: [], prompt };
    const all = relatedDecisions(ground({ activity, likeness, decisions: () => decisions, history: NO_COMMITS }));
    return new Map(all.map(({ entityId, evidence }) => [entityId, combinedChance(evidence, chanceIn({}))]));
  };
  const byWords = chances("remove the deprecated alias of the gasket server", () => null);
  assert.ok((byWords.get("decision:3") ?? 0) > (byWords.get("decision:1") ?? 1));
  const byLikeness = chances("remove the deprecated types of the server", (text) =>
    text.includes("plugin") ? 0.9 : 0.1,
  );
  assert.ok((byLikeness.get("decision:1") ?? 0) > (byLikeness.get("decision:2") ?? 1));
  const [first] = relatedDecisions(
    ground({
      activity: { folder: "/srv", recent: [], prompt: "how are gaskets ordered?" },
      decisions: () => decisions,
      history: NO_COMMITS,
    }),
  );
  assert.equal(first?.evidence[0]?.reason, "shares words with the prompt: gaskets, ordered");
});

test("a change that added much to the file is likelier to be of use than one that edited a line", () => {
  const chance = (added: number | null): number => {
    const commit = { no: 1, sha: "c".repeat(40), subject: "Round up", author: "Ada", time: NOW - DAY_MS, parents: 1 };
    const history = {
      commitsOf: () => [{ ...commit, file_count: 2, path: OPEN.path, added, deleted: 0 }],
      filesOf: () => [{ path: OPEN.path }, { path: "src/cents.ts" }],
    } as unknown as ProjectView["history"];
    const [found, ...rest] = recentChanges(ground({ history, recentChangeDays: 7 }));
    assert.deepEqual(rest, []);
    return combinedChance(found?.evidence ?? [], chanceIn({}));
  };
  assert.ok(chance(100) > chance(1));
  assert.equal(chance(null), chance(0), "a file without lines");
  assert.ok(chance(1000) < 0.5, "only the project's own past lifts it above the gate");
});

test("changes to neighbours are looked up only if they may be likely enough", () => {
  const commitsOf = (path: string) =>
    path === OPEN.path
      ? []
      : [
          {
            no: 1,
            sha: "d".repeat(40),
            subject: "Split cents",
            author: "Ada",
            time: NOW - DAY_MS,
            parents: 1,
            file_count: 2,
            path,
            added: 400,
            deleted: 0,
          },
        ];
  const entity = (path: string) => ({ no: path.length, path });
  const graph = {
    file: (path: string) => ({ no: path.length }),
    entities: () => [entity(OPEN.path)],
    outgoing: () => [{ entity: entity("src/cents.ts") }],
    incoming: () => [],
  } as unknown as ProjectView["graph"];
  const history = { commitsOf } as unknown as ProjectView["history"];
  const found = (more: Partial<ProjectView>): number =>
    recentChanges(ground({ history, graph, recentChangeDays: 7, ...more })).length;
  assert.equal(found({}), 1);
  assert.equal(found({ least: () => 0.5 }), 0);
  assert.equal(found({ least: () => 0.5, shifts: { change_near: 1 } }), 1, "the project's own past lifts them");
});

test("a decision about many files says less about each; a proposed one is marked", () => {
  const strength = (files: string[]): number =>
    relatedDecisions(ground({ decisions: () => [decision({ files })] }))[0]?.evidence[0]?.strength ?? 0;
  assert.ok(strength(["src/ledger.ts"]) > strength(["src/ledger.ts", "a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts"]));
  const [proposed] = relatedDecisions(
    ground({ decisions: () => [decision({ status: "proposed", files: ["src/ledger.ts"] })] }),
  );
  assert.match(textOf(proposed?.title), /^Decision \(proposed\): /);
});

test("a decision says less about a page that its commit also changed, and one that was only proposed says less", () => {
  const share = (path: string, more: Partial<Decision>): number => {
    const found = decision({ origin: "commit", files: ["src/ledger.ts", "AGENTS.md"], ...more });
    const files = [{ ...OPEN, path }];
    return (
      relatedDecisions(ground({ decisions: () => [found], history: NO_COMMITS }, { files }))[0]?.evidence[0]?.share ?? 0
    );
  };
  assert.deepEqual([share("src/ledger.ts", {}), share("AGENTS.md", {})], [1, 0.5]);
  assert.equal(share("AGENTS.md", { text: "AGENTS.md lists the commands" }), 1);
  assert.equal(share("AGENTS.md", { files: ["AGENTS.md"] }), 1, "about nothing else");
  assert.equal(share("src/ledger.ts", { origin: "conversation", status: "proposed" }), 0.5);
});

test("a recorded decision comes before one that was found, whatever its files", () => {
  const files = ["src/ledger.ts", "a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts"];
  const found = decision({ id: "bbbb2222", origin: "commit", score: 7, files: ["src/ledger.ts"] });
  const recorded = decision({ origin: "user", files });
  const ids = relatedDecisions(ground({ decisions: () => [found, recorded], history: NO_COMMITS })).map(
    ({ entityId }) => entityId,
  );
  assert.deepEqual(ids, [`decision:${recorded.id}`, `decision:${found.id}`]);
});

test("a decision found in a commit has a measured chance, one that a person wrote down has a higher one", () => {
  const chance = (origin: Decision["origin"]): number => {
    const decisions = () => [decision({ origin, files: ["src/ledger.ts"] })];
    const [found] = relatedDecisions(ground({ decisions, history: NO_COMMITS }));
    return combinedChance(found?.evidence ?? [], chanceIn({}));
  };
  assert.ok(chance("user") > 0.8);
  assert.ok(chance("commit") > 0 && chance("commit") < 0.5);
});

test("a decision of a conversation names it, and its address opens the message", () => {
  const mined = decision({ origin: "conversation", owner: "codex:abc", place: "abc#7", files: ["src/ledger.ts"] });
  const row = { id: "abc", source: "codex", title: "Round `Money<T>` once", updated: NOW };
  const index = { byPrefix: () => [row] } as unknown as ProjectView["index"];
  const [found] = relatedDecisions(ground({ decisions: () => [mined], index, history: NO_COMMITS }));
  assert.deepEqual(found?.origin?.(), { from: 'Codex conversation "Round `Money<T>` once"', address: "codex:abc#7" });
});

test("documents: sections that match the prompt, and sections that contain a name of the focus", () => {
  const section = (address: string, text: string): MatchedSection => ({
    address,
    title: "Rounding",
    snippet: text,
    updated: NOW,
    lead: 1,
    text,
    likeness: null,
  });
  const documents = {
    find: (words: string) =>
      words === "post" ? [section("a:x.md", "calls post"), section("a:y.md", "sends letters")] : [],
  };
  const found = relatedDocuments(ground({ documents }, { names: ["post"], files: [] }));
  assert.deepEqual(
    found.map(({ entityId, evidence }) => [entityId, evidence[0]?.reason]),
    [["doc:a:x.md", "names post"]],
  );
  assert.deepEqual(relatedDocuments(ground({ documents: undefined })), []);
});

test("warnings: a failing test of the focus, less sure with age; a deprecated symbol that is used", () => {
  const outcome = (more: Partial<SeenOutcome>): SeenOutcome => ({
    runner: "node:test",
    file: "src/ledger.ts",
    name: "rounds half cents up",
    status: "failed",
    message: "expected 2, got 3",
    total: 1,
    place: "abc#3",
    owner: "codex:abc",
    time: NOW - DAY_MS,
    ...more,
  });
  const [test, none] = warningsAbout(ground({ failing: () => [outcome({}), outcome({ file: "src/other.ts" })] }));
  assert.equal(none, undefined);
  assert.equal(test?.title, "Failing test: rounds half cents up");
  assert.equal(test?.actionUrl, "abc#3");
  const old = warningsAbout(ground({ failing: () => [outcome({ time: NOW - 20 * DAY_MS })] }));
  assert.ok((old[0]?.evidence[0]?.strength ?? 1) < (test?.evidence[0]?.strength ?? 0));
  const users = ["src/ledger.ts"];
  const deprecated = [{ symbol: "round", file: "src/math.ts", line: 3, message: "use exact", users, sure: true }];
  const [use] = warningsAbout(ground({ deprecated: () => deprecated }));
  assert.equal(use?.summary, "src/ledger.ts uses round of src/math.ts, which is marked deprecated: use exact");
  assert.equal(use?.actionUrl, "src/math.ts:3");
});
