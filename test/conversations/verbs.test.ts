/** The output of the conversation verbs: one time zone, addresses that lead back, checked names, honest counts. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { TestRepository } from "../support/repository.ts";
import { StdioClient } from "../support/servers/mcp.ts";

const home = new TestHome();
const ID = "aaaa1111-0000-4000-8000-000000000001";
const project = join(home.home, "work", "app");

before(() => {
  mkdirSync(project, { recursive: true });
  const meta = (id: string, more: object): string =>
    JSON.stringify({ _type: "dex-conversation", version: 1, meta: { id, source: "claude_code", ...more } });
  const said = (role: string, time: string, text: string): string =>
    JSON.stringify({ role, time, parts: [{ type: "text", text }] });
  const run = (i: number, command: string, output: string, exit_code: number): string[] => [
    JSON.stringify({
      role: "assistant",
      time: `2026-01-13T14:0${i}:00.000Z`,
      parts: [{ type: "tool_call", id: `c${i}`, name: "Bash", input: { command } }],
    }),
    JSON.stringify({
      role: "tool",
      time: `2026-01-13T14:0${i}:30.000Z`,
      parts: [{ type: "tool_result", id: `c${i}`, name: "Bash", output, exit_code }],
    }),
  ];
  const lines = [
    meta(ID, { title: "⏳ 日本語 login page of the 🚀 web shop that nobody could open", project }),
    said("user", "2026-01-13T03:30:00.000Z", "The login page cannot be opened, please repair the quokka widget"),
    said("assistant", "2026-01-13T13:40:17.000Z", "I looked at the login page."),
    said("user", "2026-01-13T19:30:00.000Z", "Go on with the wombat"),
    said("assistant", "2026-01-13T19:31:00.000Z", "Done."),
    meta("bbbb2222-0000-4000-8000-000000000002", {
      title: "Look around",
      project,
      parent: ID,
      parent_kind: "subagent",
    }),
    said("user", "2026-01-13T14:00:00.000Z", "Look for the quokka"),
    meta("cccc3333-0000-4000-8000-000000000003", { title: "Tests", project: join(home.home, "work", "app-two") }),
    said("user", "2026-01-13T14:00:00.000Z", "Run the tests"),
    ...run(1, "make check-all", "Can't find a root directory while resolving a config file path\n", 2),
    ...run(3, "make check-all", "fine\n", 0),
  ];
  writeFileSync(join(home.home, "made.jsonl"), `${lines.join("\n")}\n`);
  const answer = home.run("import", "made.jsonl");
  assert.match(answer.stdout, /^3 new/, answer.stderr);
});

const ZONES = [
  ["America/New_York", "-05:00", "2026-01-12", "22:30", "2026-01-13", "08:40"],
  ["Asia/Kolkata", "+05:30", "2026-01-13", "09:00", "2026-01-14", "01:00"],
] as const;

for (const [zone, offset, firstDay, firstClock, otherDay, otherClock] of ZONES) {
  test(`every verb tells the time of ${zone}; JSON has UTC`, () => {
    const there = home.withVars({ TZ: zone });
    there.cwd = home.home;
    const said = (...args: string[]): string => there.run(...args, "--no-sync").stdout;
    const updated = { "-05:00": "2026-01-13 14:31", "+05:30": "2026-01-14 01:01" }[offset];
    for (const args of [["list"], ["index"], ["search", "wombat"], ["show", "aaaa1111"]])
      assert.ok(said(...args).includes(updated), `${args.join(" ")}: ${said(...args)}`);
    assert.ok(said("message", "aaaa1111#0").includes(` ${firstDay} ${firstClock}:00 ${offset} `));
    for (const args of [
      ["read", "aaaa1111", "0-3"],
      ["timeline", "aaaa1111#0"],
      ["scan", "aaaa1111"],
    ]) {
      const text = said(...args);
      assert.ok(text.includes(`${firstDay} (${offset})`) && text.includes(firstClock), `${args.join(" ")}: ${text}`);
      assert.ok(text.includes(otherClock), `${args.join(" ")}: ${text}`);
      if (otherDay !== firstDay) assert.ok(text.includes(`${otherDay} (${offset})`), `${args.join(" ")}: ${text}`);
    }
    assert.match(said("stats"), new RegExp(`${firstDay} to ${updated.slice(0, 10)}`));
    for (const args of [["list"], ["read", "aaaa1111", "0"], ["timeline", "aaaa1111#0"], ["scan", "aaaa1111"]])
      for (const [time] of said(...args, "--json").matchAll(/\d{4}-\d\d-\d\dT[^"]+/g)) assert.match(time, /Z$/);
    assert.match(said("scan", "aaaa1111", "--json"), /"2026-01-13T03:30:00\.000Z"/);
  });
}

test("times for agents state their zone", async () => {
  const there = home.withVars({ TZ: "Asia/Kolkata" });
  there.cwd = home.home;
  const server = await StdioClient.greeted(there);
  const told = async (tool: string, input: object): Promise<string> =>
    (await server.call(tool, input)).content[0]?.text ?? "";
  try {
    for (const [tool, input] of [
      ["dex_list", {}],
      ["dex_search", { query: "wombat" }],
      ["dex_timeline", { anchor: `${ID}#0` }],
      ["dex_read", { id: ID, indices: "0" }],
      ["dex_scan", { id: ID }],
    ] as const) {
      const text = await told(tool, input);
      assert.match(text, /2026-01-1\d.*\+05:30/, `${tool}: ${text}`);
    }
    assert.match(await told("dex_list", { source: "claud_code" }), /no agent "claud_code"[\s\S]*claude_code/);
    const part = await told("dex_get", { ids: [`${ID}#3`, `${ID}#3`] });
    assert.equal(part.match(/Done\./g)?.length, 1);
    assert.doesNotMatch(part, /quokka widget/);
  } finally {
    await server.end();
  }
});

test("an address of a message leads to that message, in every verb; twice given is once", () => {
  interface Shown {
    conversations: { messages: { index: number }[] }[];
  }
  const indices = (...args: string[]): number[][] =>
    home
      .json<Shown>("show", ...args, "--no-sync")
      .conversations.map(({ messages }) => messages.map(({ index }) => index));
  assert.deepEqual(indices("aaaa1111#3"), [[1, 2, 3]]);
  assert.deepEqual(indices("aaaa1111#3", `${ID}#3`, "claude_code:aaaa1111#3"), [[1, 2, 3]]);
  assert.deepEqual(indices("aaaa1111", ID, "aaaa1111#1"), [[0, 1, 2, 3]]);
  assert.match(home.run("show", "aaaa1111#1", "--expand", "3").stderr, /names message 1, but --expand names 3/);
  assert.match(home.run("show", "aaaa1111#9").stderr, /There is no message 9/);
  assert.match(home.run("read", "aaaa1111#3").stdout, /#3 assistant[\s\S]*Done\./);
  assert.match(home.run("read", "aaaa1111#3", "1").stderr, /names one message and "1" names others/);
  assert.match(home.run("read", "aaaa1111").stderr, /No messages were given to read/);
  assert.match(home.run("scan", "aaaa1111#3").stdout, /#3 .*Done/);
  for (const args of [
    ["search", "quokka widget"],
    ["how", "make check-all"],
    ["fix", "Can't find a root directory while resolving a config file path"],
  ]) {
    const printed = /[\w:-]+#\d+/.exec(home.run(...args).stdout)?.[0] ?? "";
    assert.equal(home.run("show", printed).status, 0, `${args.join(" ")}: ${printed}`);
  }
});

test("a budget that is too small is named with the least that works", () => {
  const small = home.run("show", ID, "--max-tokens", "40");
  const needed = /does not fit --max-tokens 40; use at least (\d+)\./.exec(small.stdout)?.[1];
  assert.ok(needed, small.stdout);
  assert.match(home.run("show", ID, "--max-tokens", needed).stdout, /#0 user/);
  const scan = home.run("scan", ID, "--target", "20");
  const smallest = /smallest possible target is (\d+)/.exec(scan.stderr)?.[1] ?? "";
  assert.equal(home.run("scan", ID, "--target", smallest).status, 0);
});

test("unknown names are refused with the nearest, in every verb that takes them", () => {
  for (const verb of [
    ["list"],
    ["index"],
    ["search", "x"],
    ["fix", "x y"],
    ["how", "make"],
    ["batch", "plan"],
    ["workflow", "summarize"],
  ]) {
    const source = home.run(...verb, "--source", "claud_code");
    assert.equal(source.status, 2, verb.join(" "));
    assert.match(source.stderr, /There is no agent "claud_code"\.\nDid you mean "claude_code"\?/);
    const missing = home.run(...verb, "--project", "ap-two");
    assert.equal(missing.status, 1, verb.join(" "));
    assert.match(missing.stderr, /project with "ap-two" in its path\.\nDid you mean "app-two"\?/);
  }
  for (const name of ["Claude-Code", "Claude Code", "claude"])
    assert.equal(home.run("list", "--source", name).status, 0, name);
  assert.equal(home.run("list", "--source", "codex").status, 1);
  assert.match(
    home.run("search", "quokka source:emacs").stderr,
    /There is no agent "emacs"\.\nAgents with conversations here: claude_code\./,
  );
});

test("`.` is the current folder, and no other project with a similar name", () => {
  const inside = home.withVars({});
  inside.cwd = project;
  for (const name of [".", "current"]) {
    const { conversations } = inside.json<{ conversations: { id: string }[] }>("list", "--project", name);
    assert.deepEqual(
      conversations.map(({ id }) => id),
      [ID],
    );
  }
  inside.cwd = home.home;
  assert.equal(inside.json<{ total: number }>("list", "--project", ".").total, 2);
});

test("in a linked worktree, the project here has the conversations of the whole repository", () => {
  const repository = new TestRepository(project);
  repository.commit("feat: login", { "login.ts": "export const login = 1;\n" });
  const inside = home.withVars({});
  inside.cwd = join(home.home, "side");
  repository.git("worktree", "add", "-q", "-b", "side", inside.cwd);
  const { conversations } = inside.json<{ conversations: { id: string }[] }>("list", "--project", ".");
  assert.deepEqual(
    conversations.map(({ id }) => id),
    [ID],
  );
  assert.match(inside.run("search", "wombat", "--project", ".").stdout, /aaaa1111#2/);
});

test("a page behind the last result is not called nothing", () => {
  for (const page of [
    ["--offset", "50"],
    ["--limit", "0"],
  ]) {
    const { status, stdout } = home.run("search", "quokka", ...page);
    assert.equal(stdout, "Nothing on this page; 2 results in all.\n");
    assert.equal(status, 1);
  }
});

test("list: project, short ids that are addresses, subagents left out and counted, any width", () => {
  const text = home.run("list").stdout;
  assert.match(text, /^id +agent +when +project +title +msgs +tokens$/m);
  assert.match(text, /^aaaa1111 +Claude Code +\S+ \S+ +app +⏳/m);
  assert.match(text, /1 subagent conversation hidden; --subagents shows it/);
  const { conversations, total, hidden_subagents } = home.json<{
    conversations: { id: string; address: string }[];
    total: number;
    hidden_subagents: number;
  }>("list");
  assert.deepEqual([conversations.length, total, hidden_subagents], [2, 2, 1]);
  assert.equal(conversations.find(({ id }) => id === ID)?.address, "aaaa1111");
  assert.equal(home.json<{ total: number }>("list", "--subagents").total, 3);
  assert.equal(home.json<{ total: number }>("search", "quokka", "--no-subagents").total, 1);
  assert.equal(home.json<{ conversations: number }>("batch", "plan", "--no-subagents").conversations, 2);
  assert.equal(home.json<{ conversations: number }>("batch", "plan").conversations, 3);
});

test("parents and children are named", () => {
  assert.match(home.run("show", "bbbb2222").stdout, new RegExp(`^subagent of ${ID}$`, "m"));
  assert.match(home.run("show", "aaaa1111").stdout, /^1 subagent, fork or abandoned branch: bbbb2222$/m);
  assert.match(home.run("search", "look for the quokka").stdout, new RegExp(`subagent of ${ID}`));
});

test("search says what its numbers count, and marks the words where there is colour", () => {
  const found = home.run("search", "quokka widget", "--mode", "lexical", "--limit", "1").stdout;
  assert.match(found, /^1 conversation with all of the words, 2 with any$/m);
  const painted = home.withVars({ FORCE_COLOR: "1" }).run("search", "quokka").stdout;
  assert.ok(painted.includes("\u001b[1mquokka\u001b[0m"), painted);
  assert.ok(!home.run("search", "quokka").stdout.includes("\u001b"));
});

test("fix: the same line as pasted is the same error, one shared word is not; how and fix are counted in traces", () => {
  const same = home.run("fix", "Can't find a root directory while resolving a config file path");
  assert.match(same.stdout, /1 conversation with this error/);
  const unlike = home.run("fix", "zzz directory qqq frobnicator");
  assert.deepEqual([unlike.status, unlike.stdout], [1, "No conversation has this error or a similar one.\n"]);
  assert.match(home.run("how", "make check-all").stdout, /^make check-all\n {2}\S+#\d+ {2}1 succeeded, 1 failed · /);
  assert.match(home.run("how", "make nothing").stdout, /^No run of this command was found\.$/m);
  const { traces } = home.json<{ traces: { command: string; ranking: unknown[] }[] }>("traces", "--tail", "4");
  assert.deepEqual(
    traces.map(({ command, ranking }) => `${command} ${ranking.length}`),
    ["fix 1", "fix 0", "how 1", "how 0"],
  );
});

test("stats by project, month, agent and model", () => {
  const names = (by: string): string[] =>
    home.json<{ groups: { name: string }[] }>("stats", "--by", by).groups.map(({ name }) => name);
  assert.deepEqual(names("agent"), ["claude_code"]);
  assert.deepEqual(names("month"), ["2026-01"]);
  assert.deepEqual(names("model"), [""]);
  assert.deepEqual(names("project"), [project, `${project}-two`]);
  assert.match(home.run("stats", "--by", "model").stdout, /\(unknown\) +3/);
});

test("a chat that ends without an answer has failed", () => {
  const bin = join(home.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "opencode"), "#!/bin/sh\ncat > /dev/null\nexit 0\n", { mode: 0o755 });
  const answer = home.withVars({ PATH: `${bin}:${process.env.PATH}` }).run("chat", "what was done?", "--json");
  assert.equal(answer.status, 1, answer.stderr);
  assert.match(answer.stderr, /no answer was given/);
});
