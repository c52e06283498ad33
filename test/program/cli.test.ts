/** The command line as people and scripts meet it, on the bundled samples. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { OPERATIONS } from "../../src/operations/registry.ts";
import { program, TestHome } from "../support/program/dex.ts";

const home = new TestHome({ samples: true });
interface Listed {
  conversations: { id: string; title: string; message_count: number; estimated_tokens: number; source: string }[];
  total: number;
}
let all: Listed["conversations"];
before(() => {
  assert.equal(home.run("sync").status, 0);
  all = home.json<Listed>("list").conversations;
});

test("the samples are there, from the first command on", () => {
  const fresh = new TestHome({ samples: true });
  const stats = fresh.json<{ total_conversations: number; sources: Record<string, number> }>("stats");
  assert.equal(stats.total_conversations, 4);
  assert.ok((stats.sources.claude_code ?? 0) >= 2);
});

test("in a folder that was deleted, dex answers what needs no project, and says what is missing", () => {
  const gone = join(home.home, "gone");
  const there = (...args: string[]) => {
    mkdirSync(gone);
    const words = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
    const script = `cd '${gone}' && rmdir '${gone}' && exec ${words}`;
    return spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", env: home.env });
  };
  const list = there("list", "--json");
  assert.equal((JSON.parse(list.stdout) as Listed).total, all.length, list.stderr);
  const history = there("history");
  assert.deepEqual([history.status, history.stderr.split("\n")[0]], [2, `dex: ${gone} does not exist.`]);
});

test("bad input gets one sentence, a hint and exit 2", () => {
  const id = all[0]?.id ?? "";
  const cases: [string[], RegExp][] = [
    [["show", "ffff9999"], /no conversation "ffff9999"/],
    [["show", "zz"], /too short|no conversation/],
    [["show"], /needs <ids>/],
    [["read", id, "999999"], /There is no message 999999|has \d+ messages/],
    [["read", id, "5-x"], /5-x/],
    [["read", id, "9-3"], /9-3/],
    [["list", "--from", "someday"], /"someday" is not a date/],
    [["list", "--from", "2026-02-31"], /not a date/],
    [["list", "--from", "2026-03-09", "--to", "2026-03-01"], /after/],
    [["list", "--limt", "3"], /--limit/],
    [["list", "--limit", "-3"], /--limit must not be negative/],
    [["list", "--limit", "many"], /takes a number/],
    [["list", "extra"], /too many/],
    [["serch", "x"], /dex search/],
    [["show", id, "--format", "outlin"], /outline/],
    [["show", id, "--before", "3"], /--expand/],
    [["sync", "--source", "claude"], /claude_code/],
    [["search", "   "], /no word/],
    [["search", "x", "--session", "current"], /does not know which conversation is the current one/],
    [["timeline", id], /names a conversation, not a message/],
    [["message", "a b#1"], /not the address/],
    [["scan", id, "--target", "3"], /do not fit/],
    [["import", "no-such-file.jsonl"], /does not exist/],
  ];
  const check = (args: string[], expected: RegExp): string => {
    const { status, stderr, stdout } = home.run(...args);
    assert.equal(status, 2, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, expected, args.join(" "));
    assert.doesNotMatch(stderr, /at .*\.js:\d+|unexpected failure/, args.join(" "));
    return stdout;
  };
  for (const [i, [args, expected]] of cases.entries()) {
    // The sentence goes to stderr with --json, too.
    const json = check([...args, "--json"], expected);
    assert.equal(typeof (JSON.parse(json) as { error: { code: string } }).error.code, "string");
    // Without it one place prints every error: a few show that stdout stays empty.
    if (i % 6 === 0) assert.equal(check(args, expected), "", args.join(" "));
  }
});

test("a retrieval limited to one session reads no other conversation", () => {
  const [one = "", other = ""] = all.map(({ id }) => id);
  try {
    const run = (...args: string[]) => home.run(...args, "--session", one);
    assert.equal(run("message", `${one}#0`).status, 0);
    assert.equal(run("timeline", `${one}#1`).status, 0);
    assert.match(run("message", `${other}#0`).stderr, /is not the session/);
    assert.match(run("timeline", `${other}#0`).stderr, /is not the session/);
    home.vars.DEX_SESSION = one;
    assert.equal(home.json<{ session_id: string }>("stats").session_id, one);
    const found = home.json<{ results: { id: string }[] }>("search", "the", "test", "--session", "current");
    assert.ok(found.results.every(({ id }) => id === one));
  } finally {
    delete home.vars.DEX_SESSION;
  }
});

test("a home that is not a folder, cannot be read or cannot be created fails with one sentence", () => {
  const odd = new TestHome();
  for (const place of ["/etc/passwd", "/proc/nowhere/dex"]) {
    odd.vars.DEX_HOME = place;
    const answer = odd.run("sync");
    assert.equal(answer.status, 2, `${place}: ${answer.stdout}`);
    assert.match(answer.stderr, /is not a folder|cannot be written/);
    assert.doesNotMatch(answer.stderr, /unexpected failure/);
  }
  // These answer without a home. Node's recursive mkdir would never return below /proc.
  for (const command of [["ask", "deploy"], ["search", "deploy"], ["list"]]) {
    assert.notEqual(odd.run(...command).status, null, command.join(" "));
  }
});

test("an ambiguous prefix lists the candidates", () => {
  const twin = new TestHome();
  const lines = ["abcd1111", "abcd2222"].map((conversation) =>
    JSON.stringify({ conversation, role: "user", text: `hello from ${conversation}` }),
  );
  writeFileSync(join(twin.home, "twins.jsonl"), lines.join("\n"));
  assert.equal(twin.run("import", "twins.jsonl").status, 0);
  const answer = twin.run("show", "abcd");
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /abcd1111[\s\S]*abcd2222/);
  assert.equal(twin.run("show", "abcd1").status, 0);
  assert.equal(twin.run("show", "import:abcd2").status, 0);
});

test("nothing found is exit 1 with a valid, empty document", () => {
  for (const args of [
    ["search", "xyzzyplugh"],
    ["list", "--to", "2001-01-01"],
    ["index", "--from", "2030-01-01"],
  ]) {
    const answer = home.run(...args, "--json");
    assert.equal(answer.status, 1, args.join(" "));
    assert.equal((JSON.parse(answer.stdout) as { total: number }).total, 0);
  }
});

test("filters are part of the search, and total is the true count", () => {
  interface Found {
    results: { id: string; source: string; project: string; message_index: number; snippet: string }[];
    total: number;
  }
  const everything = home.json<Found>("search", "the test", "--limit", "100");
  assert.equal(everything.total, everything.results.length);
  const codex = home.json<Found>("search", "the test", "--source", "codex", "--limit", "1");
  assert.equal(codex.total, everything.results.filter(({ source }) => source === "codex").length);
  const first = home.json<Found>("search", "the test", "--limit", "1");
  const second = home.json<Found>("search", "the test", "--limit", "1", "--offset", "1");
  assert.equal(first.total, everything.total);
  assert.deepEqual(
    [first.results[0]?.id, second.results[0]?.id],
    everything.results.slice(0, 2).map(({ id }) => id),
  );
  const inSession = home.json<Found>("search", "the", "test", "--session", everything.results[1]?.id ?? "");
  assert.equal(inSession.total, 1);
  const byUser = home.json<Found>("search", "the test", "--role", "user");
  for (const hit of byUser.results) {
    const shown = home.json<{ message: { role: string } }>("message", `${hit.id}#${hit.message_index}`);
    assert.equal(shown.message.role, "user");
  }
  for (const { snippet } of everything.results) assert.ok(snippet.length <= 330, String(snippet.length));
});

test("a budget is honoured, and the truncation is reported", () => {
  const id = all.toSorted((a, b) => b.estimated_tokens - a.estimated_tokens)[0]?.id ?? "";
  interface Shown {
    conversations: {
      messages: { index: number; content: string }[];
      truncated?: { messages: number };
      total_tokens: number;
    }[];
    total_tokens: number;
    skipped_ids?: string[];
  }
  const whole = home.json<Shown>("show", id, "--format", "full");
  const small = home.json<Shown>("show", id, "--format", "full", "--max-tokens", "400");
  assert.ok(small.total_tokens <= 400);
  assert.ok((small.conversations[0]?.truncated?.messages ?? 0) > 0);
  assert.ok((small.conversations[0]?.messages.length ?? 0) < (whole.conversations[0]?.messages.length ?? 0));
  const several = home.json<Shown>("show", ...all.map((each) => each.id), "--format", "full", "--max-tokens", "1500");
  assert.ok(several.total_tokens <= 1500);
  assert.ok((several.skipped_ids ?? []).length > 0);
});

test("a small budget keeps the message that was asked for, before its neighbours", () => {
  const fresh = new TestHome();
  const line = (text: string, i: number): string =>
    JSON.stringify({ conversation: "long-one", role: i % 2 ? "assistant" : "user", text });
  const texts = [0, 1, 2, 3, 4].map((i) => `message ${i}: ${"about the harbour and its tides ".repeat(40)}`);
  writeFileSync(join(fresh.home, "a.jsonl"), texts.map(line).join("\n"));
  assert.equal(fresh.run("import", join(fresh.home, "a.jsonl")).status, 0);
  type Answer = { conversations: { messages: { index: number }[]; truncated?: { messages: number } }[] };
  const shownWithin = (tokens: number, ...more: string[]): (number | undefined)[] => {
    const args = ["long-one#2", "--max-tokens", String(tokens), "--no-sync", ...more];
    const [shown] = fresh.json<Answer>("show", ...args).conversations;
    return [...(shown?.messages ?? []).map(({ index }) => index), shown?.truncated?.messages];
  };
  assert.deepEqual(shownWithin(300), [2, 5]);
  assert.deepEqual(shownWithin(750), [1, 2, 3, 3]);
  assert.deepEqual(shownWithin(3000), [0, 1, 2, 3, 4, undefined]);
  assert.deepEqual(shownWithin(300, "--format", "outline"), [0, 1, 2, 3, 4, undefined]);
});

test("the seed's shapes: expand, outline, scan, read, timeline", () => {
  const id = all[0]?.id ?? "";
  interface Shown {
    conversations: {
      messages: { index: number; role: string; content: string; tokens: number }[];
      has_more_before: boolean;
      has_more_after: boolean;
    }[];
  }
  const expanded = home.json<Shown>("show", id, "--expand", "3", "--before", "1", "--after", "2", "--format", "full");
  assert.deepEqual(
    expanded.conversations[0]?.messages.map(({ index }) => index),
    [2, 3, 4, 5],
  );
  assert.equal(expanded.conversations[0]?.has_more_before, true);
  const outline = home.json<Shown>("show", id, "--format", "outline").conversations[0]?.messages ?? [];
  assert.match(outline[0]?.content ?? "", /^0 \[User\] .* \([\d.]+k? tokens?\)$/);
  assert.deepEqual(
    outline.map(({ index }) => index),
    outline.map((_, i) => i),
  );
  const scan = home.run("scan", id, "--tokens-per-msg", "30").stdout;
  assert.match(scan, /^#0 \d\d:\d\d user: /m);
  const target = home.json<{ total_tokens: number }>("scan", id, "--target", "600");
  assert.ok(target.total_tokens <= 600);
  const read = home.json<{ messages: { index: number }[] }>("read", id, "1,3-4");
  assert.deepEqual(
    read.messages.map(({ index }) => index),
    [1, 3, 4],
  );
  const timeline = home.json<{ anchor: number; messages: unknown[]; has_more_before: boolean }>(
    "timeline",
    `${id.slice(0, 8)}#4`,
    "--before",
    "2",
    "--after",
    "1",
  );
  assert.equal(timeline.messages.length, 4);
  assert.equal(timeline.has_more_before, true);
});

test("the export for other tools, and the one for people", () => {
  const id = all[0]?.id ?? "";
  const jsonl = home.run("export", id, "--format", "hive-mind").stdout.trim().split("\n");
  const meta = JSON.parse(jsonl[0] ?? "{}") as { _type: string; messageCount: number; sessionId: string };
  assert.equal(meta._type, "hive-mind-meta");
  assert.equal(meta.messageCount, jsonl.length - 1);
  assert.equal(meta.sessionId, id);
  assert.match(home.run("export", id).stdout, /^# .+\n\n- id: /);
});

test("an import is validated line by line", () => {
  const file = join(home.home, "other.jsonl");
  writeFileSync(
    file,
    [
      '{"conversation":"other-1","role":"user","time":"2026-03-01T10:00:00Z","text":"how do I rotate zebra keys?","title":"Zebra"}',
      '{"conversation":"other-1","role":"assistant","text":"with the zebra tool"}',
      '{"conversation":"other-1","role":"robot","text":"x"}',
      "not json",
    ].join("\n"),
  );
  const answer = home.json<{ new: number; messages: number; problems: { line: number }[] }>("import", file);
  assert.equal(answer.new, 1);
  assert.equal(answer.messages, 2);
  assert.deepEqual(
    answer.problems.map(({ line }) => line),
    [3, 4],
  );
  assert.equal(home.json<{ unchanged: number }>("import", file).unchanged, 1);
  assert.equal(home.json<{ total: number }>("search", "zebra", "--source", "import").total, 1);
});

test("help lists every verb; piped output has no colour; a broken pipe is not a failure", () => {
  const help = home.run("--help").stdout;
  for (const verb of Object.keys(OPERATIONS)) assert.match(help, new RegExp(`^  dex ${verb}\\b`, "m"));
  assert.match(home.run("scan", "--help").stdout, /--tokens-per-msg N/);
  assert.match(home.run("show", "--help").stdout, /--expand N/);
  assert.ok(!home.run("stats").stdout.includes("\u001b"));
  const piped = spawnSync(
    "bash",
    [
      "-c",
      `"${process.execPath}" "${join(import.meta.dirname, "../../dist/dex.js")}" export ${all.map(({ id }) => id).join(" ")} | head -1; exit "\${PIPESTATUS[0]}"`,
    ],
    { env: { HOME: home.home, DEX_HOME: home.dexHome, PATH: process.env.PATH ?? "" }, encoding: "utf8" },
  );
  assert.equal(piped.stderr, "");
});

test("control characters of a conversation do not reach the terminal", () => {
  const file = join(home.home, "escape.jsonl");
  writeFileSync(
    file,
    JSON.stringify({ conversation: "escape-1", role: "user", text: "wombat \u001b[2Jcleared\u0007" }),
  );
  assert.equal(home.run("import", file).status, 0);
  const { stdout } = home.run("search", "wombat");
  assert.ok(stdout.includes("wombat") && !stdout.includes("\u001b") && !stdout.includes("\u0007"));
});
