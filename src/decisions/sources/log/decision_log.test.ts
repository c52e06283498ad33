import assert from "node:assert/strict";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../../../test/support/repository.ts";
import { repositoryOrFolder } from "../../../history/repository.ts";
import { updateHistory } from "../../../history/update.ts";
import { projectDecisions } from "../../project.ts";
import { recordsInUsualFolders } from "../records.ts";
import { isDecisionLogPath, parseDecisionLog } from "./decision_log.ts";

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const texts = (content: string): string[] => parseDecisionLog(content).map(({ text }) => text);

test("a heading for each decision, with labels, numbers or a date", () => {
  const log = parseDecisionLog(`# Decisions

**Format:**

\`\`\`markdown
## YYYY-MM-DD — one line
**Decided:** what was done.
\`\`\`

## 2026-09-18 — Sessions stay on the server

**Decided:** \`src/session.ts\` keeps them in Redis.
**Why:** a cookie has room for 4 KB.
**Rejected:** signed cookies (too small); one table (slow).

## D2. Money

The plan leaves it open. **Decision:** Amounts are integers of cents.

## ADR-003 SQLite for tests

SQLite is the database of the tests.

### Consequences

Two dialects.

## D-04: Retries in the client (superseded by D-12)

### Decision

The client retries.

### 5. Every date is stored in UTC

## 1. Introduction

## Open questions

### 2026-09-20 — Which queue?
`);
  assert.deepEqual(
    log.map(({ line, number, date, status, superseded_by, text }) => [line, number, date, status, superseded_by, text]),
    [
      [
        10,
        null,
        day("2026-09-18"),
        "accepted",
        null,
        "Sessions stay on the server: `src/session.ts` keeps them in Redis.",
      ],
      [16, "2", undefined, "accepted", null, "Money: Amounts are integers of cents."],
      [20, "3", undefined, "accepted", null, "SQLite for tests: SQLite is the database of the tests."],
      [28, "4", undefined, "superseded", "12", "Retries in the client: The client retries."],
    ],
  );
  assert.equal(log[0]?.because, "a cookie has room for 4 KB.");
  assert.deepEqual(log[0]?.alternatives, ["signed cookies (too small)", "one table (slow)"]);
});

test("a table of decisions, but not an index of records or another table", () => {
  const log = parseDecisionLog(`# Decision log

| # | Date | Decision | Rationale | Status |
|---|:-----|----------|-----------|--------|
| 1 | 2026-06-26 | Iceberg over bare Parquet | \`a|b\` | accepted |
| 2 | Feb 11, 2026 | Print for logging | short | Superseded by 3 |
| 3 | TBD | Choose a queue | | |
| 4 | 2026-07-01 | [Use X](adr/0004-x.md) | | |

| Topic | Our decision |
|---|---|
| Stack | React and Vite |

| Decision | Choice | Why |
|---|---|---|
| Transport | minimodem | proven |

| Status | Meaning |
|---|---|
| proposed | not decided |
`);
  assert.deepEqual(
    log.map(({ text, because, date, status }) => [text, because, date, status]),
    [
      ["Iceberg over bare Parquet", "`a|b`", day("2026-06-26"), "accepted"],
      ["Print for logging", "short", day("2026-02-11"), "superseded"],
      ["Stack: React and Vite", null, undefined, "accepted"],
      ["Transport: minimodem", "proven", undefined, "accepted"],
    ],
  );
});

test("a list of decisions, with dates, below a date, or with labels", () => {
  const log = parseDecisionLog(`# Decisions

Notes for updates:
- Add an entry when something is decided.

The list:

- 2026-05-10: Chose Vitest over Jest because it starts faster.
- **2026-05-11** — Retries stop after three attempts.
- ~~[2026-05-12] Redis for sessions~~
- Decision 2026-05-13: Postgres
    Decision: One Postgres for everything
    Reason: one server

## 2026-06-01

- The command line comes before the page

## Log

- Decision: Two widths of images.
  Rationale: they have names.
  Date/Author: 2026-06-19 / Sam
- Decision: One width on phones.
`);
  assert.deepEqual(
    log.map(({ date, text, because, status }) => [date, text, because, status]),
    [
      [day("2026-05-10"), "Chose Vitest over Jest because it starts faster.", "it starts faster", "accepted"],
      [day("2026-05-11"), "Retries stop after three attempts.", null, "accepted"],
      [day("2026-05-12"), "Redis for sessions", null, "superseded"],
      [day("2026-05-13"), "Postgres: One Postgres for everything", "one server", "accepted"],
      [day("2026-06-01"), "The command line comes before the page", null, "accepted"],
      [day("2026-06-19"), "Two widths of images.", "they have names.", "accepted"],
      [undefined, "One width on phones.", null, "accepted"],
    ],
  );
  assert.deepEqual(log[0]?.alternatives, ["Jest"]);
});

test("labels without headings, and labels of other languages", () => {
  const parted = "---\n**Date:** 2026-07-10\n**Feature:** Seeds\n**Decision:** Each has a file.\n**Why:** order.\n";
  assert.deepEqual(texts(`# Log\n\n${parted}\n${parted.replaceAll("Seeds", "Users")}`), [
    "Seeds: Each has a file.",
    "Users: Each has a file.",
  ]);
  const [korean, chinese] = parseDecisionLog(
    "# 결정\n\n## 2026-06-18: 산출물\n\n결정:\n\n- 새 폴더에 만든다.\n- 삭제하지 않는다.\n\n이유:\n\n- 검수한다.\n\n" +
      "## ADR-002：数据\n日期：2026-04-25\n状态：已取代\n\n决策：\n用 `a.json` 作为目录。\n",
  );
  assert.equal(korean?.text, "산출물: 새 폴더에 만든다.; 삭제하지 않는다.");
  assert.equal(korean?.because, "검수한다.");
  assert.deepEqual(
    [chinese?.text, chinese?.status, chinese?.date],
    ["数据: 用 `a.json` 作为目录。", "superseded", day("2026-04-25")],
  );
});

test("a page about decisions has none", () => {
  assert.deepEqual(
    texts(
      "# Decisions\n\nHow decisions are found.\n\n## Where they come from\n\n1. **You**, with a command.\n2. Commits.\n\n## Status\n\n- accepted: it is in force today\n",
    ),
    [],
  );
  for (const path of ["DECISIONS.md", "docs/decision-log.md", "memory-bank/decisionLog.md", "docs/ADR.md"]) {
    assert.ok(isDecisionLogPath(path), path);
  }
  for (const path of ["docs/open-decisions.md", "src/decisions.ts", "decision.md", "DECISIONS.txt"]) {
    assert.ok(!isDecisionLogPath(path), path);
  }
});

test("the entries of a list are decisions of the project, each about the files it names", async () => {
  const repo = new TestRepository();
  repo.commit("start", {
    "src/money.ts": "export const cents = 1;\n",
    "docs/DECISIONS.md":
      "# Decisions\n\n## D1 — Floats (superseded by D2)\n\n**Decision:** amounts are floats.\n\n## D2 — Cents\n\n**Date:** 2026-09-18\n**Decision:** `src/money.ts` has `cents`.\n\n## D2 — Cents\n\n**Decision:** `src/money.ts` has `cents`.\n",
  });
  const repository = repositoryOrFolder(repo.root);
  const folder = temporaryFolder();
  await updateHistory(repository, folder);
  const found = await projectDecisions({
    repository,
    folder,
    conversations: [],
    load: () => [],
    own: [],
    verdicts: new Map(),
  });
  assert.deepEqual(
    found.map(({ place, status, files, text }) => [place, status, files, text]),
    [
      ["docs/DECISIONS.md:7", "accepted", ["src/money.ts"], "Cents: `src/money.ts` has `cents`."],
      ["docs/DECISIONS.md:3", "superseded", [], "Floats: amounts are floats."],
    ],
  );
  assert.deepEqual(recordsInUsualFolders(repo.root), ["docs/DECISIONS.md"], "without git, too");
});

test("a table that sums up the entries above it adds none", () => {
  const log = parseDecisionLog(`# Decision log

## ADR-0001 — One mooring kit

**Status:** Proposed

### Decision
Build the pilot on the small kit.

## Summary table

| ADR | Decision | Default |
|-----|----------|---------|
| 0001 | Mooring kit or rope | **kit** |
| 0002 | Fenders at every pier | **yes** |
`);
  assert.deepEqual(
    log.map(({ number, status, text }) => [number, status, text]),
    [
      ["1", "proposed", "One mooring kit: Build the pilot on the small kit."],
      ["0002", "accepted", "Fenders at every pier"],
    ],
  );
});

test("an entry that is still open is only proposed, and a section about the state of the work is not an entry", () => {
  const log = parseDecisionLog(
    "# Decisions\n\n## D1. Queue\n\n**Decision:** BullMQ.\n**Status:** Open gap\n\n## Status as of 2026-09-01\n\n**Decision:** see D1.\n",
  );
  assert.deepEqual(
    log.map(({ text, status }) => [text, status]),
    [["Queue: BullMQ.", "proposed"]],
  );
});

test("a week with a table of decisions is not one of them", () => {
  const table = "| Fecha | Decisión | Motivo |\n|---|---|---|\n| 2026-03-09 | Usar un solo faro | Es suficiente |";
  assert.deepEqual(texts(`# Registro\n\n## Semana 1 — Faros (9 mar 2026)\n\n${table}\n`), ["Usar un solo faro"]);
});

test("sections under a heading that says so are decisions, and what the owner has yet to decide is not", () => {
  const log = `# Harbour log

## Decisions made for the pilot

### Lamp

The lamp turns once a minute.

## Open owner decisions

- the final name of the harbour and its pilot;
- whether the pier gets a second lamp;
`;
  assert.deepEqual(texts(log), ["Lamp: The lamp turns once a minute."]);
});

test("a paragraph with its statement in bold and its day in brackets, and a number made of a date", () => {
  const [lamp, rope, kit] = parseDecisionLog(`# Decisions

An **otter** is not a decision.

## Lamps

**The lamp turns once a minute.** Twice was too fast
for the boats (2026-07-28).

**\`--rope\` without a length is an error (2026-08-19).** It would be ignored.

## 2026-09-14 [D2026-0914-01] One kit for all piers

Everything else was tried.
`);
  assert.deepEqual([lamp?.text, lamp?.date], ["The lamp turns once a minute.", day("2026-07-28")]);
  assert.deepEqual([rope?.text, rope?.date], ["`--rope` without a length is an error.", day("2026-08-19")]);
  assert.deepEqual([kit?.number, kit?.title], ["2026-0914-01", "One kit for all piers"]);
});
