/** `dex forget`: nothing of the conversation is left in any byte of dex's home, and it asks before it destroys. */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as z from "zod";
import { Dex } from "../../src/dex.ts";
import { runOperation } from "../../src/operations/run.ts";
import { forget } from "../../src/operations/upkeep/forget.ts";
import { fire } from "../support/clients/hook_scene.ts";
import { dumpHome } from "../support/dump.ts";
import { type Turn, writeDialogue } from "../support/histories/dialogue.ts";
import { Outbox } from "../support/outbox.ts";
import { TestHome } from "../support/program/dex.ts";
import { seeded } from "../support/random.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";
import { Sentinels } from "../support/sentinels.ts";

/** In a folder that is not there, so that every field can be a sentinel; in a repository; its subagent; another one. */
const ELSEWHERE = "a1a1a1a1-0000-4000-8000-000000000001";
const HERE = "b2b2b2b2-0000-4000-8000-000000000002";
const HELPER = "agent-c3c3c3c3";
const BYSTANDER = "d4d4d4d4-0000-4000-8000-000000000004";

interface Planted {
  home: TestHome;
  repo: TestRepository;
  words: Sentinels;
}

function turnsWith(word: (place: string) => string): Turn[] {
  return [
    { user: `Please fix the ${word("prompt")} of the ledger, it fails with half cents` },
    { agent: `Looking at ${word("answer")} now.` },
    { tool: `mcp__${word("tool name")}__look`, input: { query: word("tool input") }, output: word("tool output") },
    {
      tool: "Edit",
      input: { file_path: `src/${word("file")}.ts`, old_string: word("old text"), new_string: word("new text") },
    },
    { command: `node --test ${word("command")}`, output: `Error: ${word("error")} is not defined`, failed: true },
    {
      command: "npm test",
      output: `TAP version 13\nnot ok 1 - ${word("test name")}\n1..1\n# tests 1\n# pass 0\n# fail 1\n`,
      failed: true,
    },
    { command: "git commit -m x", output: `[main 1a2b3c4] ${word("commit subject")}\n 1 file changed, 1 insertion(+)` },
    { user: `We decided to use ${word("decision")} instead of ${word("alternative")}, because floats do not add up.` },
    { agent: `Done: ${word("last words")}. Always keep ${word("rule")} out of the ledger.` },
  ];
}

/** Adds what dialogues have no words for: thinking, a branch, a title. */
function addFields(file: string, word: (place: string) => string): void {
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of lines) line.gitBranch = `topic/${word("branch")}`;
  const said = lines.find((line) => line.type === "assistant") as { message: { content: object[] } };
  said.message.content.unshift({ type: "thinking", thinking: `Perhaps ${word("thinking")} is the cause` });
  lines.push({
    type: "custom-title",
    customTitle: `The ${word("title")} of the ledger`,
    sessionId: lines[0]?.sessionId,
  });
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

function plant(seed: number): Planted {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();
  repo.commit("feat: begin", { "src/ledger.ts": "export const post = (amount: number): number => amount;\n" });
  const words = new Sentinels(seeded(seed));
  const word =
    (prefix: string) =>
    (place: string): string =>
      words.word(`${prefix} ${place}`);
  const claude = join(home.home, ".claude/projects");
  writeDialogue(home.home, ELSEWHERE, turnsWith(word("elsewhere")), {
    cwd: `/home/sam/${words.word("elsewhere project")}`,
  });
  addFields(join(claude, `-srv-demo/${ELSEWHERE}.jsonl`), word("elsewhere"));
  const folder = join(claude, `-home-sam-${words.word("elsewhere project")}`);
  mkdirSync(folder);
  cpSync(join(claude, "-srv-demo"), folder, { recursive: true });
  for (const name of readdirSync(join(claude, "-srv-demo"))) writeFileSync(join(claude, "-srv-demo", name), "");
  const start = Date.now() - 3_600_000;
  writeDialogue(home.home, HERE, turnsWith(word("here")), { cwd: repo.root, start });
  addFields(join(claude, `-srv-demo/${HERE}.jsonl`), word("here"));
  writeDialogue(home.home, HELPER, turnsWith(word("helper")), { cwd: repo.root, parent: HERE, start });
  const turns: Turn[] = [
    { user: "What does the ledger do with half cents?" },
    { agent: "It rounds them. We decided to keep whole cents, because sums must be exact." },
  ];
  writeDialogue(home.home, BYSTANDER, turns, { cwd: repo.root, start: start + 1000 });
  home.cwd = repo.root;
  return { home, repo, words };
}

/** Everything dex can be asked about the conversations, so that as much as possible is written down. */
async function useEverywhere({ home, repo, words }: Planted): Promise<void> {
  const run = (...args: string[]): string => {
    const answer = home.run(...args);
    assert.ok(answer.status === 0 || answer.status === 1, `dex ${args.join(" ")}: ${answer.stderr}`);
    return answer.stdout;
  };
  const here = (place: string): string => words.word(`here ${place}`);
  run("search", here("prompt"), "--no-sync");
  run("sync");
  for (const place of ["prompt", "tool output", "title", "thinking"]) run("search", here(place));
  run("search", words.word("elsewhere prompt"), "--project", words.word("elsewhere project"));
  run("fix", `Error: ${here("error")} is not defined`);
  run("how", `node --test ${here("command")}`);
  run("ask", `What about ${here("decision")} and the ledger?`);
  run("history", "src/ledger.ts");
  run("decisions", "--all");
  run("tests", "list");
  run("code", "index");
  run("warnings");
  run("decide", `Reports run at night, see "The ${here("title")} of the ledger"`);
  run("pin", "Keep whole cents");
  run("suggest", "--prompt", `fix ${here("prompt")} of the ledger`, "--file", "src/ledger.ts", "--min-score", "0");
  const suggested = run("suggest", "--prompt", "half cents of the ledger", "--min-score", "0", "--json");
  run("compact");
  run("pack", "--task", here("prompt"));
  run("handoff", HERE);
  run("batch", "plan");
  run("workflow", "summarize", "--period", "all");
  run("workflow", "extract-rules");
  mkdirSync(join(home.dexHome, "exports"));
  writeFileSync(join(home.dexHome, "exports", "mine.md"), run("export", HERE));
  const event = { session_id: HERE, transcript_path: null, cwd: repo.root };
  await fire(home, "claude", { ...event, hook_event_name: "SessionStart", source: "startup", model: "m" });
  await fire(home, "claude", {
    ...event,
    hook_event_name: "UserPromptSubmit",
    prompt: `fix ${here("prompt")} of the ledger`,
  });
  const other = { ...event, session_id: "another", hook_event_name: "UserPromptSubmit" };
  await fire(home, "claude", { ...other, prompt: `half cents of the ledger and ${here("answer")}` });
  const outbox = new Outbox(join(home.dexHome, "state.db"));
  const subscription = outbox.subscribe({ id: "sub_aaaaaaaaaaaa", callbackType: "poll", projectId: repo.root });
  outbox.add(subscription, 2, Date.now());
  const body = JSON.stringify({ event: "context.suggestion", said: suggested, quote: here("prompt") });
  outbox.state.deliveries.add(subscription, { id: "dlv_of_here", suggestionId: "sug_of_here", body }, Date.now());
  outbox.state.subscriptions.recordSent(
    subscription.id,
    [{ entityId: `conversation:claude_code:${HERE}`, itemTime: 1 }],
    1,
  );
  outbox.state.close();
  leftBehind(home, here("answer"));
}

/** Writes the files that only a person at a terminal, another program, a backup, or a kill leaves behind. */
function leftBehind({ dexHome }: TestHome, word: string): void {
  writeFileSync(join(dexHome, "ask-history"), `what about ${word}\nwhat about the weather\n`);
  writeFileSync(join(dexHome, "hooks.log"), `2026-03-01 claude Stop: ${HERE} is busy\n2026-03-01 claude Stop: late\n`);
  const chat = join(dexHome, "chat-sessions", "2026-03-01T10-00-00Z");
  mkdirSync(join(chat, "data"), { recursive: true });
  writeFileSync(join(chat, "data", "messages.json"), JSON.stringify({ text: `It was\\n${word}` }));
  mkdirSync(join(dexHome, "backups"), { recursive: true });
  copyFileSync(join(dexHome, "state.db"), join(dexHome, "backups", "state-1.db"));
  writeFileSync(join(dexHome, "backups", "state-2.db"), `damaged ${word}`);
  copyFileSync(join(dexHome, "index.db"), join(dexHome, "index.db.new"));
  writeFileSync(join(dexHome, "summaries", "left.json.4242.tmp"), word);
}

test("a sentinel in every field is in no byte of dex's home afterwards, and does not come back", async () => {
  const planted = plant(31);
  const { home, words } = planted;
  await useEverywhere(planted);
  const before = words.foundIn(home.dexHome);
  const places = new Set(before.map((each) => each.replace(/ in .*/, "")));
  assert.deepEqual(
    [...words.planted.keys()].filter((place) => !places.has(place)),
    [],
    "all were planted",
  );
  for (const file of [
    /^.* in state\.db/,
    /history\//,
    /traces\//,
    /summaries\//,
    /workflows\//,
    /exports\//,
    /backups\//,
  ]) {
    assert.ok(
      before.some((each) => file.test(each)),
      `${file} held some`,
    );
  }
  const dry = home.json<{ done: boolean; removed: Record<string, unknown> }>("forget", ELSEWHERE, HERE, "--dry-run");
  assert.equal(dry.done, false);
  assert.deepEqual(words.foundIn(home.dexHome), before, "a dry run changes nothing");

  const done = home.json<typeof dry & { forgotten: { id: string; why: string }[] }>("forget", ELSEWHERE, HERE, "--yes");
  assert.deepEqual(
    done.forgotten.map(({ id, why }) => [id, why]),
    [
      [ELSEWHERE, "named"],
      [HERE, "named"],
      [HELPER, "subagent"],
    ],
  );
  assert.deepEqual(done.removed, dry.removed, "the dry run said exactly what would go");
  assert.deepEqual(words.foundIn(home.dexHome), []);
  for (const again of [["sync"], ["sync", "--full"], ["reindex"], ["doctor", "--fix"], ["gc"], ["sync"]]) {
    const answer = home.run(...again);
    assert.equal(answer.status, 0, `${again.join(" ")}: ${answer.stderr}${answer.stdout}`);
    assert.deepEqual(words.foundIn(home.dexHome), [], `after dex ${again.join(" ")}`);
  }
  const listed = home.json<{ conversations: { id: string }[] }>("list");
  assert.deepEqual(
    listed.conversations.map(({ id }) => id),
    [BYSTANDER],
  );
  assert.equal(home.run("search", "half cents").status, 0);
  assert.equal(home.json<{ memories: object[] }>("pins").memories.length, 1, "what the user saved stays");
  assert.match(home.run("decisions").stdout, /Reports run at night, see "\(a forgotten conversation\)"/);
  assert.equal(home.json<{ deliveries: object[] }>("subscriptions", "poll").deliveries.length, 2);
  assert.equal(readFileSync(join(home.dexHome, "ask-history"), "utf8"), "what about the weather\n");
  assert.match(readFileSync(join(home.dexHome, "hooks.log"), "utf8"), /late/);
  const copies = readdirSync(join(home.dexHome, "backups")).filter((name) => name.startsWith("state-"));
  assert.equal(copies.length, 1, "one new copy replaced the earlier ones");
  const backup = new Outbox(join(home.dexHome, "backups", copies[0] as string));
  assert.equal(backup.state.forgotten().length, 3, "a restored backup brings nothing back");
  backup.state.close();
});

test("a person is asked first; one history of several conversations keeps the others", async () => {
  const { home } = plant(33);
  const started = (day: number, about: string): string =>
    `# aider chat started at 2026-03-0${day} 10:00:00\n\n#### ${about}\n\nIt is done.\n\n`;
  const project = join(home.home, "notes");
  const file = join(project, ".aider.chat.history.md");
  mkdirSync(project);
  home.cwd = project;
  writeFileSync(file, started(1, "Sort the quinces") + started(2, "Sort the medlars"));
  home.run("sync");
  const listed = (): { id: string; title: string }[] =>
    home.json<{ conversations: { id: string; title: string }[] }>("list", "--source", "aider").conversations;
  const id = listed().find(({ title }) => title.includes("quinces"))?.id ?? "";
  const dex = await Dex.open({ vars: home.env, cwd: project });
  const asked: unknown[] = [];
  const ask = async (answer: boolean): Promise<z.output<typeof forget.output>> => {
    const confirm = async (plan: unknown): Promise<boolean> => asked.push(plan) > 0 && answer;
    return (await runOperation(dex, forget, forget.input.parse({ ids: [id] }), { confirm })).output;
  };
  try {
    assert.equal((await ask(false)).held, "declined");
    assert.equal(listed().length, 2);
    assert.equal((await ask(true)).done, true);
  } finally {
    dex.close();
  }
  assert.equal(asked.length, 2);
  assert.match(JSON.stringify(asked[0]), /Sort the quinces.*"done":false/);
  writeFileSync(file, started(1, "Sort the quinces") + started(2, "Sort the medlars") + started(3, "Sort the figs"));
  for (const again of [["sync"], ["sync", "--full"], ["reindex"]]) {
    assert.equal(home.run(...again).status, 0);
    assert.deepEqual(
      listed()
        .map(({ title }) => title)
        .sort(),
      ["Sort the figs", "Sort the medlars"],
      again.join(" "),
    );
    for (const name of readdirSync(home.dexHome, { recursive: true, encoding: "utf8" })) {
      const path = join(home.dexHome, name);
      if (statSync(path).isFile()) assert.ok(!readFileSync(path, "latin1").includes("quinces"), name);
    }
  }
});

test("it refuses without a yes, and short, ambiguous or message addresses; children are chosen", () => {
  const { home } = plant(32);
  home.run("sync");
  const before = dumpHome(home.dexHome);
  const refused = (status: number, says: RegExp, ...args: string[]): void => {
    const answer = home.run("forget", ...args);
    assert.equal(answer.status, status, answer.stderr);
    assert.match(answer.stderr, says);
    assert.deepEqual(dumpHome(home.dexHome), before);
  };
  refused(2, /Forgetting 2 conversations cannot be undone\.\nConfirm with --yes, or use --dry-run/, HERE);
  refused(2, /"b2b2" is too short to identify a conversation to forget\.\nGive at least 8 characters/, "b2b2", "--yes");
  refused(2, /names a message; only whole conversations/, `${HERE}#0`, "--yes");
  refused(2, /There is no conversation "b2b2b2b2-1"/, "b2b2b2b2-1", "--yes");
  const alone = home.run("forget", HERE, "--children", "none", "--dry-run").stdout;
  assert.match(
    alone,
    /Would forget 1 conversation:\n {2}claude_code:b2b2b2b2\S+ {2}The \S+ of the ledger {2}\(.*, 14 messages\)/,
  );
  assert.match(alone, /started from these are kept .*\n {2}claude_code:agent-c3c3c3c3 .*\(subagent/);
  assert.match(alone, /Nothing was removed \(--dry-run\)/);
  assert.deepEqual(dumpHome(home.dexHome), before);
  assert.equal(home.run("forget", "b2b2b2b2", "--children", "none", "--yes").status, 0);
  const left = home.json<{ conversations: { id: string }[] }>("list", "--subagents").conversations.map(({ id }) => id);
  assert.deepEqual(left.sort(), [ELSEWHERE, HELPER, BYSTANDER].sort());
});
