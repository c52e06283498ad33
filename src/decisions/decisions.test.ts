/** Decisions of records, trailers, marks and conversations, and their status. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { commitInfo } from "../../test/support/histories/commit_info.ts";
import type { Message } from "../conversations/model.ts";
import { openHistory } from "../store/engine/history.ts";
import type { CommitInfo } from "../store/history_records.ts";
import type { TrailConversation } from "../store/trails.ts";
import { type Decision, decisionId, mentionsIn, type NameResolver, ownFirst } from "./decision.ts";
import { settleStatuses } from "./force/status.ts";
import { matchDecisions } from "./search.ts";
import { isAdrPath, parseAdr } from "./sources/adr.ts";
import { commitDecisions } from "./sources/commits.ts";
import { conversationDecisions } from "./sources/conversations.ts";
import { markersAt } from "./sources/markers.ts";
import { modelDecisions } from "./sources/model.ts";
import { alternativesOf } from "./wording/alternatives.ts";
import { confirms, statedReason } from "./wording/cues.ts";
import { sentencesOf } from "./wording/sentences.ts";

const NAMES: NameResolver = {
  file: (name) =>
    ["src/store.ts", "src/a.ts"].includes(name.replace(/^\/srv\/demo\//, ""))
      ? name.replace(/^\/srv\/demo\//, "")
      : undefined,
};

test("a MADR 4 record, with its front matter", () => {
  const record = parseAdr(`---
status: "superseded by ADR-0012"
date: 2024-05-06
decision-makers: [ada]
---
# Use SQLite for the index

## Context and Problem Statement
We need an index.

## Considered Options
* SQLite
* Postgres
* A folder of JSON

## Decision Outcome
Chosen option: "SQLite", because it needs no server
and is in Node.

### Consequences
* Good, because fast
`);
  assert.equal(record?.text, "Use SQLite for the index: SQLite");
  assert.equal(record?.because, "it needs no server and is in Node");
  assert.deepEqual(record?.alternatives, ["Postgres", "A folder of JSON"]);
  assert.deepEqual([record?.status, record?.superseded_by], ["superseded", "12"]);
  assert.equal(record?.date, Date.parse("2024-05-06"));
});

test("a MADR 3 record, with a list in its head", () => {
  const record = parseAdr(
    '# Plain SQL\n\n* Status: accepted\n* Date: 2023-01-02\n\n## Context and Problem Statement\nx\n\n## Considered Options\n\n* [ORM](https://x)\n* Plain SQL\n\n## Decision Outcome\n\nChosen option: "Plain SQL", because it is short.\n',
  );
  assert.deepEqual(
    [record?.status, record?.text, record?.because, record?.alternatives],
    ["accepted", "Plain SQL: Plain SQL", "it is short", ["ORM"]],
  );
});

test("a record in Nygard's form", () => {
  const record = parseAdr(
    "# 7. Keep sessions on the server\n\nDate: 2022-02-03\n\n## Status\n\nAccepted\n\n## Context\n\nCookies are small.\n\n## Decision\n\nWe will keep sessions in Redis because cookies\nare limited to 4 KB.\n\n## Consequences\n\nOne more server.\n",
  );
  assert.equal(record?.title, "Keep sessions on the server");
  assert.equal(record?.status, "accepted");
  assert.match(record?.text ?? "", /^Keep sessions on the server: We will keep sessions in Redis/);
  assert.equal(record?.because, "cookies are limited to 4 KB");
});

test("a record with bold labels, one as a Y-statement, and alternatives that only the decision names", () => {
  const labelled = parseAdr(
    "# ADR-004: Money as integers\n\n**Status:** Accepted\n**Date:** 2026-09-04\n\n**Context:** Floats drift.\n\n**Decision:** Amounts are integers of cents, not floats.\n\n**Consequences:** Conversions.\n",
  );
  assert.deepEqual(
    [labelled?.status, labelled?.text, labelled?.alternatives, labelled?.line, labelled?.date],
    [
      "accepted",
      "Money as integers: Amounts are integers of cents, not floats.",
      ["floats"],
      8,
      Date.parse("2026-09-04"),
    ],
  );
  const statement = parseAdr(
    "# Queue\n\nStatus: accepted\n\nIn the context of **the mail service**, facing bursts of mail,\nwe decided for BullMQ and neglected RabbitMQ, to achieve one server less, accepting\nthat jobs may be lost.\n",
  );
  assert.deepEqual(
    [statement?.status, statement?.text, statement?.because, statement?.alternatives, statement?.line],
    ["accepted", "Queue: BullMQ (the mail service), to achieve one server less.", "one server less", ["RabbitMQ"], 5],
  );
  const named = parseAdr(
    "# A\n\n## Status\n\nAccepted\n\n## Decision\n\nUse A.\n\n## Alternatives\n\n- Elasticsearch: too heavy\n- Solr — old\n- A list of terms for each field, which is slow: rejected\n",
  );
  assert.deepEqual(named?.alternatives, [
    "Elasticsearch",
    "Solr",
    "A list of terms for each field, which is slow: rejected",
  ]);
  assert.equal(parseAdr("# Notes\n\n**Context:** x\n\n**Options:** y\n"), undefined);
});

test("the status of a record, which changes in later paragraphs", () => {
  const statusIn = (section: string) => {
    const record = parseAdr(`# 9. Layout\n\n## Status\n\n${section}\n\n## Decision\n\nFlat.\n`);
    return [record?.status, record?.superseded_by, record?.text.replace("Layout: Flat.", "")];
  };
  assert.deepEqual(statusIn("Accepted (2026-07-07). Supersedes the naming portions of [ADR 0016](0016-x.md)."), [
    "accepted",
    null,
    "",
  ]);
  assert.deepEqual(statusIn("Supersedes ADR 3. Approved."), ["accepted", null, ""]);
  assert.deepEqual(statusIn("Accepted\n\nRefined and superseded for the current layout by\n[ADR 0017](0017-y.md)."), [
    "superseded",
    "17",
    "",
  ]);
  assert.deepEqual(statusIn("Accepted, then **superseded** (all of it) by [ADR 0016](x.md)."), [
    "superseded",
    "16",
    "",
  ]);
  assert.deepEqual(statusIn("Accepted\n\nSuperseded in part by [ADR 0012](x.md), which removes folders."), [
    "accepted",
    null,
    " (superseded in part by 12)",
  ]);
  assert.deepEqual(statusIn("Accepted\n\nAmended: the old names below are superseded by new ones."), [
    "accepted",
    null,
    "",
  ]);
  assert.deepEqual(statusIn("Superseded"), ["superseded", null, ""]);
  assert.deepEqual(statusIn("Rejected"), ["rejected", null, ""]);
  assert.deepEqual(statusIn("Draft"), ["proposed", null, ""]);
  for (const open of ["Open, to be settled with the team. Was accepted once.", "Under discussion", "TBD"])
    assert.deepEqual(statusIn(open), ["proposed", null, ""]);
  assert.deepEqual(statusIn("Accepted. The date is TBD, open points are below."), ["accepted", null, ""]);
});

test("a record's alternatives are named in full, and its reason is that of the statement", () => {
  const record = parseAdr(`# Keep one converter

## Status

Accepted

## Decision — conversion

### Where

Keep one converter because two had drifted apart in \`index.jsonl\`.

If a baseline changes because of this, add a note.

## Alternatives Considered

- **Keep both.** Rejected. That keeps the
  drift.
- A library that
  converts keys. It drops unknown ones.
- **One converter.** Chosen.
`);
  assert.equal(record?.because, "two had drifted apart in `index.jsonl`");
  assert.deepEqual(record?.alternatives, ["Keep both", "A library that converts keys."]);
  const titled = parseAdr(
    "# A\n\n## Status\n\nAccepted\n\n## Decision\n\nUse A.\n\n## Alternatives Considered\n\n### Use `run_id` folders\n\nToo deep.\n\n### Use B\n\nSlow.\n\n## Non-Goals\n\n### Speed\n",
  );
  assert.deepEqual(titled?.alternatives, ["Use `run_id` folders", "Use B"]);
  assert.equal(titled?.because, null);
});

test("pages that are not records", () => {
  assert.equal(parseAdr("# Decisions\n\nA list of all decisions.\n"), undefined);
  assert.equal(parseAdr(""), undefined);
  for (const path of [
    "docs/adr/0001-use-x.md",
    "doc/arch/adr-003-y.md",
    "docs/decisions/use-x.md",
    "adr/0002-z.markdown",
  ]) {
    assert.ok(isAdrPath(path), path);
  }
  for (const path of [
    "docs/adr/README.md",
    "docs/adr/template.md",
    "src/decisions/sources/adr.ts",
    "docs/guide.md",
    "docs/architecture/overview.md",
  ]) {
    assert.ok(!isAdrPath(path), path);
  }
});

function commit(subject: string, body: string, more: Partial<CommitInfo> = {}): CommitInfo {
  return commitInfo(subject, { body, ...more });
}

test("a commit's trailers, breaking changes and prose", () => {
  const found = commitDecisions(
    commit(
      "feat(store): one writer",
      "Decision: one writer at a time\nWhy: two corrupt the log\nRejected: leases | clocks differ",
    ),
    ["src/store.ts"],
    NAMES,
  );
  assert.deepEqual(
    found.map(({ origin, text, because, alternatives, files }) => ({ origin, text, because, alternatives, files })),
    [
      {
        origin: "trailer",
        text: "one writer at a time",
        because: "two corrupt the log",
        alternatives: ["leases"],
        files: ["src/store.ts"],
      },
    ],
  );
  const [breaking] = commitDecisions(commit("feat!: drop v1", "BREAKING CHANGE: v1 is gone"), [], NAMES);
  assert.deepEqual([breaking?.origin, breaking?.text], ["breaking", "v1 is gone"]);
  const [prose] = commitDecisions(commit("perf: use zstd instead of gzip", "Reading is faster."), [], NAMES);
  assert.deepEqual([prose?.origin, prose?.alternatives], ["commit", ["gzip"]]);
  assert.deepEqual(commitDecisions(commit("Merge x", "Decision: y", { parents: 2 }), [], NAMES), []);
  assert.deepEqual(
    commitDecisions(commit('Revert "x"', "This reverts commit aaaaaaaa.\n\nDecision: y"), [], NAMES),
    [],
  );
});

const marked = (...lines: string[]): string[] => markersAt(lines, 0).map(({ text }) => text);

test("a mark in a block comment runs to its end, whether or not its lines begin with a sign", () => {
  const whole = ["use polling instead of websockets, since proxies drop them"];
  const ask = "DECISION: use polling";
  const rest = "instead of websockets, since proxies drop them";
  for (const lines of [
    [`/* ${ask}`, `   ${rest} */`, "export const a = 1;"],
    [`/**`, `${ask}`, `${rest}`, "*/", "// Another comment."],
    [`<!-- ${ask}`, `     ${rest} -->`, "<p>Text</p>"],
    ["def f():", `    """${ask}`, `    ${rest}"""`, "    return 1"],
    ["def f():", `    """`, `    ${ask}`, `    ${rest}`, `    """`, "    return 1"],
    [`{- ${ask}`, `   ${rest} -}`, "main = pure ()"],
    [`--[[ ${ask}`, `  ${rest} ]]`, "local a = 1"],
    [`(* ${ask}`, `   ${rest} *)`, "let a = 1"],
  ]) {
    const at = lines.findIndex((line) => line.includes("DECISION"));
    assert.deepEqual(
      markersAt(lines, at).map(({ text }) => text),
      whole,
      lines.join("\n"),
    );
  }
  assert.deepEqual(
    marked("/* DECISION: one queue per shard */", "const use = polling;"),
    ["one queue per shard"],
    "code below a comment is not a part of it",
  );
  const below = ['    """', "    Ends here.", '    """', "    x = 1  # DECISION: keep x", "    y = 2"];
  assert.deepEqual(
    markersAt(["def f():", ...below], 4).map(({ text }) => text),
    ["keep x"],
  );
});

test("marks in the code run to the end of their comment", () => {
  assert.deepEqual(
    marked(
      "  // NOTE(decision): sessions stay in memory because",
      "  // a restart logs everybody out anyway. No disk.",
    ),
    ["sessions stay in memory because a restart logs everybody out anyway. No disk."],
  );
  assert.deepEqual(marked("# DECISION: one queue per shard", "#", "# Another paragraph."), ["one queue per shard"]);
  assert.deepEqual(marked("x = 1  # NOTE(decision): no retries here, since", "# the caller retries", "y = 2"), [
    "no retries here, since the caller retries",
  ]);
  const lines = [
    "/**",
    " * Opens it. Do not close the pool here, because the last",
    " * request may still read it.",
    " */",
  ];
  assert.deepEqual(
    markersAt(lines, 1).map(({ text, because }) => [text, because]),
    [["Do not close the pool here, because the last request may still read it.", "the last request may still read it"]],
  );
  assert.deepEqual(marked("// The list is deliberately not sorted: callers rely on the order of the file."), [
    "The list is deliberately not sorted: callers rely on the order of the file.",
  ]);
  assert.deepEqual(marked("// Reads the header. It deliberately ignores the version, which old writers never set."), [
    "Reads the header. It deliberately ignores the version, which old writers never set.",
  ]);
});

test("comments that only explain, and strings, are not marks", () => {
  for (const line of [
    "const text = 'do not do this because of that';",
    'say("  // NOTE(decision): no cache here, because it is fast enough");',
    "// why do not we do this because of that?",
    "// We don't know the size of the last block because the writer may have stopped early.",
    "// If we don't have a name it might be because the row is a placeholder.",
    "// It deliberately ignores the version that old writers never set.",
    "// eslint-disable-next-line no-console -- we intentionally print to the console of the user here",
    "// Only true if the user has intentionally cleared the value of this field before.",
    "// Code generated by a program; do not edit, because changes are overwritten.",
  ]) {
    assert.deepEqual(marked(line), [], line);
  }
});

const row: TrailConversation = {
  no: 1,
  source: "claude_code",
  id: "c1",
  title: "t",
  project: "/srv/demo",
  created: 0,
  updated: 9,
  messages: 9,
  archive: "",
  archive_bytes: 1,
  subagent: false,
  abandoned: false,
};
const say = (role: Message["role"], text: string): Message => ({ role, parts: [{ type: "text", text }] });

function decided(...messages: Message[]): string[] {
  return conversationDecisions(
    row,
    messages.map((message, index) => ({ index, message })),
    NAMES,
  )
    .filter(({ score }) => score >= 5)
    .map(({ place, text }) => `${place} ${text}`);
}

test("conversations: the user's decisions and agreed proposals count; code, quotes and tool output do not", () => {
  const proposal = "I'd go with WAL rather than a journal, because readers never wait.";
  assert.deepEqual(decided(say("assistant", proposal), say("user", "yes, do it")), [`c1#0 ${proposal}`]);
  assert.deepEqual(decided(say("assistant", proposal), say("user", "What does that cost?")), []);
  assert.deepEqual(decided(say("assistant", proposal)), []);
  assert.deepEqual(
    decided(say("user", "> We decided to use X instead of Y.\n```\nWe decided to use X instead of Y.\n```")),
    [],
  );
  assert.deepEqual(
    decided({ role: "tool", parts: [{ type: "tool_result", output: "We decided to use X instead of Y because Z." }] }),
    [],
  );
  assert.deepEqual(decided(say("user", "Fine.\n\n- We use pnpm here instead of npm, because of the\n  workspaces.")), [
    "c1#0 We use pnpm here instead of npm, because of the workspaces.",
  ]);
});

test("a letter or number picks the agent's option", () => {
  const offer =
    "Two ways:\n\n- **A. A lock file:** one writer at a time.\n- **B. A queue:** writers never wait.\n\nWhich one?";
  for (const answer of ["let's do b then", "B", "ok, go for option B", "b, because people write a lot"]) {
    assert.deepEqual(
      decided(say("assistant", offer), say("user", answer)),
      ["c1#1 A queue: writers never wait."],
      answer,
    );
  }
  assert.deepEqual(
    decided(say("assistant", "1. Keep the table\n2. Drop the old table\n\nWhich one?"), say("user", "do 2")),
    ["c1#1 Drop the old table"],
  );
  for (const answer of ["let's do c", "do a test", "b or a?", "a bit more, please"]) {
    assert.deepEqual(decided(say("assistant", offer), say("user", answer)), [], answer);
  }
  assert.deepEqual(decided(say("user", "let's do b then")), [], "nothing was offered");
  const findings = "1. The table is never read\n2. The old table is dropped twice\n\nShall I fix them?";
  assert.deepEqual(decided(say("assistant", findings), say("user", "do 2")), [], "a list of findings");
});

test("files of a decision: named ones, and those edited in the same turn", () => {
  const edit: Message = {
    role: "assistant",
    parts: [{ type: "tool_call", name: "Edit", input: { file_path: "/srv/demo/src/a.ts" } }],
  };
  const messages = [
    say("user", "go"),
    say("assistant", "I chose WAL over a journal in `src/store.ts` because `openStore` reads often."),
    edit,
  ];
  const [found] = conversationDecisions(
    row,
    messages.map((message, index) => ({ index, message })),
    NAMES,
  );
  assert.deepEqual(
    [found?.files, found?.symbols, found?.because],
    [["src/store.ts", "src/a.ts"], ["openStore"], "`openStore` reads often"],
  );
  assert.equal(mentionsIn("see node.js and e.g. this", NAMES).files.length, 0);
});

test("reasons, alternatives, agreement, sentences", () => {
  assert.equal(statedReason("Use A, since B is slow."), "B is slow");
  assert.deepEqual(alternativesOf("We switched from moment to Temporal."), ["moment"]);
  assert.deepEqual(alternativesOf("I chose A over B because C."), ["B"]);
  assert.deepEqual(alternativesOf("Use secure-json-parse instead of bourne (#1619)"), ["bourne"]);
  assert.deepEqual(alternativesOf("use luxon instead of moment for dates in src/date.ts"), ["moment"]);
  assert.deepEqual(alternativesOf("Chose luxon over moment, dayjs or date-fns everywhere"), ["moment"]);
  assert.deepEqual(alternativesOf("we chose luxon over moment or date-fns"), ["moment", "date-fns"]);
  assert.deepEqual(alternativesOf("go with @scope/pg instead of @scope/mysql in tests"), ["@scope/mysql"]);
  assert.deepEqual(alternativesOf("Dates are strings instead of numbers of seconds"), ["numbers of seconds"]);
  assert.deepEqual(alternativesOf("Use a map rather than `key in form` in the parser"), ["`key in form`"]);
  assert.deepEqual(alternativesOf("Use trim instead of `startsWith` and `endsWith`"), ["`startsWith`", "`endsWith`"]);
  assert.deepEqual(alternativesOf("Amounts are cents, never floats."), ["floats"]);
  assert.deepEqual(alternativesOf("Use polling instead of sockets, since proxies drop them."), ["sockets"]);
  assert.deepEqual(alternativesOf("Ping every minute, because proxies drop idle connections."), []);
  assert.deepEqual(alternativesOf("Keep the file in memory because it is read, not written."), []);
  assert.deepEqual(alternativesOf("Since CI fails, drop happy-dom."), ["happy-dom"]);
  assert.deepEqual(alternativesOf("Use a map instead of an object and replace the loop with entries()"), [
    "an object",
    "the loop",
  ]);
  for (const text of ["yes", "Sounds good, thanks", "ok do it"]) assert.ok(confirms(text), text);
  for (const text of ["yes but not now", "no", "why?", "ok, what about sorting?"]) assert.ok(!confirms(text), text);
  assert.deepEqual(sentencesOf("One thing here. Another thing, e.g. This one here.\nGoes on in version 1.2 of it."), [
    "One thing here.",
    "Another thing, e.g. This one here.",
    "Goes on in version 1.2 of it.",
  ]);
});

test("a model's decisions need a quote from the message", async () => {
  const messages = [say("user", "Let's use WAL,\nreaders never wait then."), say("assistant", "Nothing of note.")];
  const asked: string[] = [];
  const item = { because: null, alternatives: ["journal"], entities: ["src/store.ts"], message: 0 };
  const answer = [
    { ...item, decision: "The store uses WAL.", quote: "use WAL, readers never" },
    { ...item, decision: "Invented.", quote: "use DELETE mode" },
    { ...item, decision: "Of a message that was not shown.", quote: "Nothing of note", message: 1 },
  ];
  const found = await modelDecisions(
    row,
    messages.map((message, index) => ({ index, message })),
    NAMES,
    async (prompt) => {
      asked.push(prompt);
      return `\`\`\`json\n${JSON.stringify({ decisions: answer })}\n\`\`\``;
    },
  );
  assert.equal(asked.length, 1);
  assert.doesNotMatch(asked[0] ?? "", /Nothing of note/);
  assert.deepEqual(
    found.decisions.map(({ text, files, place, owner }) => [text, files, place, owner]),
    [["The store uses WAL.", ["src/store.ts"], "c1#0", "model:claude_code:c1"]],
  );
  assert.equal(found.dropped, 2);
});

function decision(text: string, more: Partial<Decision> = {}): Decision {
  return {
    id: decisionId(text),
    origin: "conversation",
    owner: "o",
    place: "c1#1",
    text,
    because: null,
    alternatives: alternativesOf(text),
    files: [],
    symbols: [],
    score: 7,
    time: 1,
    status: "proposed",
    superseded_by: null,
    shown: true,
    ...more,
  };
}

test("a newer contradicting decision supersedes an older one; a verdict overrides everything", () => {
  const history = openHistory("/nowhere/history.db");
  const older = decision("We chose SQLite over Postgres.", { time: 1 });
  const newer = decision("We switched from SQLite to Postgres because of the load.", { time: 2 });
  const other = decision("We chose Hono over Express.", { time: 3 });
  const status = new Map(settleStatuses([older, newer, other], history, new Map()).map((each) => [each.id, each]));
  assert.deepEqual([status.get(older.id)?.status, status.get(older.id)?.superseded_by], ["superseded", newer.id]);
  assert.equal(status.get(newer.id)?.status, "proposed");
  assert.equal(status.get(other.id)?.status, "proposed");
  const verdict = { id: other.id, repository: "r", status: "rejected" as const, by: null, time: 4 };
  const judged = settleStatuses([other], history, new Map([[other.id, verdict]]))[0];
  assert.deepEqual([judged?.status, judged?.shown], ["rejected", false]);
  history.close();
});

test("errands, renames and texts that point elsewhere are stored, but not shown", () => {
  for (const text of [
    "ok, let's rename this branch to fix the parser",
    "Agreed on all points.",
    "let's go with option 2 straight away",
    "Let's go with this approach!",
    "Let's go with that, because it is faster than the others",
    "I want a plan for the migration instead of code, because I am in a hurry",
    "we don't need backwards compatibility, it makes things complicated",
  ]) {
    assert.deepEqual(decided(say("user", text)), [], text);
  }
  const offer = "Two ways to work:\n\n1. I dispatch a worker per task\n2. All in this session\n\nWhich approach?";
  assert.deepEqual(decided(say("assistant", offer), say("user", "1")), [], "how to work, not what to build");
  const own =
    "- (a) One file per day\n- (b) One file per writer, so that nobody waits\n\nI'd go with (b) because it scales.";
  assert.deepEqual(decided(say("assistant", own), say("user", "yes")), [
    "c1#0 One file per writer, so that nobody waits",
  ]);
  assert.deepEqual(decided(say("user", "fine. let's use argon2 instead of bcrypt. can you start?")), [
    "c1#0 let's use argon2 instead of bcrypt.",
  ]);
});

test("sentences of commits: edits are stored, but not shown", () => {
  const names: NameResolver = { ...NAMES, dependency: (name) => name === "valibot" };
  const shown = (subject: string, body = "", files: string[] = []): string[] =>
    commitDecisions(commit(subject, body), files, names)
      .filter(({ score }) => score >= 5)
      .map(({ text }) => text);
  for (const subject of [
    "rename the inner variable to avoid confusion",
    "test: use t.Errorf instead of t.Logf",
    "use `??` instead of `||` in the parser",
    "replace the hard-coded path with a constant, because it is used twice",
    "docs: use https instead of http so that links work",
    "refactor!: simplify the handler and save size",
    "feat!: goodbye old runtime",
    "chore: bump valibot from 1.0 to 1.1",
  ]) {
    assert.deepEqual(shown(subject), [], subject);
  }
  assert.deepEqual(shown("chore: replace zod with valibot (#12)"), ["replace zod with valibot"]);
  assert.deepEqual(
    shown("feat: sessions", "Use a signed cookie rather than a table so that a\nrestart logs nobody out."),
    ["Use a signed cookie rather than a table so that a restart logs nobody out."],
  );
  assert.deepEqual(shown("feat!: `open` requires a mode"), ["`open` requires a mode"]);
});

test("one decision in several places appears once, best stated, with all places", () => {
  const history = openHistory("/nowhere/history.db");
  const subject = decision("replace zod with valibot (#12)", { origin: "commit", place: "aaaaaaaaaaaa", time: 3 });
  const said = decision("Let's use valibot instead of zod, because it is a tenth of the size.", {
    because: "it is a tenth of the size",
    time: 2,
  });
  const own = decision("Replace zod with valibot", { origin: "user", place: "dex decide", time: 1 });
  const [once, ...others] = settleStatuses([subject, said, own], history, new Map());
  assert.deepEqual(others, []);
  assert.deepEqual(
    [once?.id, once?.because, once?.places],
    [own.id, "it is a tenth of the size", ["dex decide", "aaaaaaaaaaaa", "c1#1"]],
  );
  const two = [decision("`readLimit` must be set in the file."), decision("`writeLimit` must be set in the file.")];
  assert.equal(settleStatuses(two, history, new Map()).length, 2, "two options");
  history.close();
});

test("recorded decisions come first, in the order given", () => {
  const origins = ownFirst([{ origin: "adr" }, { origin: "user" }, { origin: "commit" }] as const);
  assert.deepEqual(
    origins.map(({ origin }) => origin),
    ["user", "adr", "commit"],
  );
});

test("a record's statement that ends with a colon goes on in its list", () => {
  const record = parseAdr("# Layout\n\n## Status\n\nAccepted\n\n## Decision\n\nA run has:\n\n- one index\n- one log\n");
  assert.equal(record?.text, "Layout: A run has: one index; one log");
  const tree = parseAdr(
    "# Layout\n\n## Status\n\nAccepted\n\n## Decision\n\nRuns are written to:\n\n```text\nresults/<id>/\n\n  index\n```\n\nOther words.\n",
  );
  assert.equal(tree?.text, "Layout: Runs are written to: results/<id>/");
});

test("decisions are found by the stems of words, rarer ones first", () => {
  const all = [decision("We chose caching of queries."), decision("We chose indexes."), decision("We chose sessions.")];
  assert.deepEqual(
    matchDecisions(all, "cached query").map(({ text }) => text),
    ["We chose caching of queries."],
  );
  assert.deepEqual(matchDecisions(all, "nothing"), []);
});

test("a record about the word comes before a newer decision that only mentions it", () => {
  const record = {
    ...decision("Keep queries read-only: Nothing writes through them."),
    origin: "adr",
    time: 1,
  } as const;
  const newer = { ...decision("The cache avoids queries."), origin: "marker", time: 2 } as const;
  assert.equal(matchDecisions([newer, record], "queries")[0], record);
});
