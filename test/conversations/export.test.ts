/** `dex import` reads the output of `dex export --format jsonl` back without loss; `--format html` is a file to share. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { dumpHome } from "../support/dump.ts";
import { program, TestHome } from "../support/program/dex.ts";
import { between, pick, randomText, seeded } from "../support/random.ts";

const home = new TestHome({ samples: true });
const other = new TestHome();
let ids: string[] = [];

before(() => {
  assert.equal(home.run("sync").status, 0);
  const random = seeded(7);
  const lines = Array.from({ length: 200 }, (_, i) => {
    const role = pick(random, ["user", "assistant", "tool", "system"]);
    const text = randomText(random, between(random, 1, 80));
    const tool = role === "tool" || (role === "assistant" && random() < 0.5) ? { tool: "Bash" } : {};
    const input =
      role === "assistant" && "tool" in tool ? { input: { command: text, nested: [1, null, { a: "b" }] } } : {};
    const time = random() < 0.7 ? { time: new Date(1.77e12 + i * 60_000).toISOString() } : {};
    return JSON.stringify({
      conversation: `made-${i % 7}`,
      role,
      text,
      ...tool,
      ...input,
      ...time,
      project: "/p/made",
    });
  });
  writeFileSync(join(home.home, "made.jsonl"), `${lines.join("\n")}\n`);
  assert.equal(home.run("import", "made.jsonl").status, 0);
  const listed = home.json<{ conversations: { id: string; source: string }[] }>(
    "list",
    "--subagents",
    "--limit",
    "1000",
  );
  ids = listed.conversations.map(({ id, source }) => `${source}:${id}`);
  assert.ok(ids.length > 8);
});

/** Where a conversation was read from is the one thing that differs. */
function dumped(of: TestHome): unknown {
  const dump = dumpHome(of.dexHome);
  const archive = Object.entries(dump.archive).map(([path, found]) => {
    const { meta, ...rest } = found as { meta: { origin?: string } };
    const { origin: _, ...kept } = meta;
    return [path, { ...rest, meta: kept }];
  });
  return { ...dump, archive };
}

test("through a pipe into an empty home: every message, part, time, parent and word is there", () => {
  const exported = home.run("export", ...ids, "--format", "jsonl", "--no-sync").stdout;
  const piped = spawnSync(process.execPath, [program, "import"], {
    env: other.env,
    cwd: other.cwd,
    input: exported,
    encoding: "utf8",
  });
  assert.equal(piped.status, 0, piped.stderr);
  assert.match(piped.stdout, new RegExp(`^${ids.length} new, 0 updated`));
  assert.deepEqual(dumped(other), dumped(home));
  const again = spawnSync(process.execPath, [program, "import", "-", "--json"], {
    env: other.env,
    cwd: other.cwd,
    input: exported,
    encoding: "utf8",
  });
  assert.equal((JSON.parse(again.stdout) as { unchanged: number }).unchanged, ids.length);
});

test("read into the home that it is from, under any name, it changes nothing", () => {
  const before = dumpHome(home.dexHome);
  const exported = home.run("export", ...ids, "--format", "jsonl").stdout;
  for (const name of ["export.jsonl", "copy.jsonl"]) {
    writeFileSync(join(home.home, name), exported);
    const done = home.json<{ new: number; updated: number; unchanged: number }>("import", name);
    assert.deepEqual([done.new, done.updated, done.unchanged], [0, 0, ids.length]);
  }
  assert.deepEqual(dumpHome(home.dexHome), before);
});

test("hive-mind's form is read as well", () => {
  const third = new TestHome();
  const file = join(home.home, "hive.jsonl");
  writeFileSync(file, home.run("export", ids[0] ?? "", "--format", "hive-mind", "--no-sync").stdout);
  const answer = third.run("import", file);
  assert.match(answer.stdout, /^1 new, 0 updated, \d+ messages read\.$/m);
  third.remove();
});

test("lines that are not in the form are named and not used", () => {
  const [header = "", ...lines] = home
    .run("export", ids[0] ?? "", "--format", "jsonl", "--no-sync")
    .stdout.trim()
    .split("\n");
  const broken = [
    header,
    '{"role":"user","parts":[{"type":"picture"}]}',
    ...lines,
    "{torn",
    '{"_type":"dex-conversation","version":9}',
  ];
  writeFileSync(join(home.home, "broken.jsonl"), broken.join("\n"));
  const third = new TestHome();
  const { problems, messages } = third.json<{ problems: { line: number; message: string }[]; messages: number }>(
    "import",
    join(home.home, "broken.jsonl"),
  );
  assert.deepEqual(
    problems.map(({ line }) => line),
    [2, lines.length + 3, lines.length + 4],
  );
  assert.match(problems[2]?.message ?? "", /Version 9/);
  assert.equal(messages, lines.length);
  third.remove();
});

test("a conversation that was forgotten stays forgotten, and that is said", () => {
  const third = new TestHome();
  const file = join(home.home, "one.jsonl");
  writeFileSync(file, home.run("export", "import:made-0", "--format", "jsonl", "--no-sync").stdout);
  third.run("import", file);
  assert.equal(third.run("forget", "made-0", "--yes").status === 0 || third.run("forget", "made-0").status === 0, true);
  assert.match(third.run("import", file).stdout, /1 conversation not imported: forgotten earlier/);
  third.remove();
});

test("one HTML file of a conversation, or of chosen messages", () => {
  const id = ids.find((name) => name.startsWith("import:made-1")) ?? "";
  const whole = home.run("export", id, "--format", "html", "--no-sync").stdout;
  assert.match(whole, /^<!doctype html>/);
  assert.equal(whole.split("<article ").length - 1, 29);
  const chosen = home.run("export", id, "--format", "html", "--messages", "3,5-6", "--no-sync").stdout;
  assert.deepEqual(
    [...chosen.matchAll(/<article id="m(\d+)"/g)].map(([, index]) => index),
    ["3", "5", "6"],
  );
  const md = home.run("export", id, "--messages", "3", "--no-sync").stdout;
  assert.deepEqual(md.match(/^## \d+/gm), ["## 3"]);
  const several = home.run("export", ...ids.slice(0, 2), "--format", "html", "--no-sync");
  assert.match(several.stderr, /An HTML file holds one conversation/);
  assert.match(home.run("export", ...ids.slice(0, 2), "--messages", "0", "--no-sync").stderr, /--messages chooses/);
});
