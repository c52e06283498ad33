/**
 * Every verb that reads conversations, asked by a member about work of another member: a reader with a clone at another
 * place, who has shared nothing. Without the server, what was fetched before still answers.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writeDialogue } from "../../support/histories/dialogue.ts";
import { program } from "../../support/program/dex.ts";
import { HANG_MS } from "../../support/program/limits.ts";
import { TestRepository } from "../../support/repository.ts";
import { StdioClient } from "../../support/servers/mcp.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam, SCOPE, type TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const ID = "5eed1111-1111-4222-8333-944444444444";
const FIRST = "export function openPool() {\n  return createConnections(1);\n}\n";
const SECOND = `${FIRST}\nexport function closePool() {\n  closeIdleConnections(30);\n  forgetMarmotConnections();\n}\n`;

let server: TestServer;
let ada: TeamHome;
let eve: TeamHome;

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  eve = joinTeam(ada, "eve", "reader", { DEX_TEAM_WAITMS: "20000" });
  const repository = new TestRepository(ada.project);
  repository.commit("feat: begin", { "packages/db/src/pool.ts": FIRST, "README.md": "# Pools\n" });
  const start = repository.clock + 10_000;
  const second = repository.commit("feat: close pools", { "packages/db/src/pool.ts": SECOND });
  writeDialogue(
    ada.home,
    ID,
    [
      { user: "Idle marmot connections pile up: close pools, too." },
      { tool: "Write", input: { file_path: join(ada.project, "packages/db/src/pool.ts"), content: SECOND } },
      {
        command: "git commit -am x",
        output: `[main ${second.slice(0, 7)}] feat: close pools\n 1 file changed, 5 insertions(+)\n`,
      },
      { agent: "Pools are closed after thirty idle seconds now." },
    ],
    { start, cwd: join(ada.project, "packages/db") },
  );
  eve.cwd = join(eve.home, "work", "clone");
  cpSync(ada.project, eve.cwd, { recursive: true });
  ada.ok("team", "share", ada.project, "--now");
  assert.equal(ada.ok("push").conversations, 1);
});

after(async () => {
  if (skip) return;
  await server.stop();
});

interface Owned {
  id?: string;
  address?: string;
  origin?: string;
  owner?: string;
  machine?: string;
  scope?: string;
}

/** The origin that every answer names. */
function isAdas(found: Owned | undefined): void {
  const { origin = "team", owner, machine, scope } = found ?? {};
  assert.deepEqual([origin, owner, scope], ["team", "ada", SCOPE], JSON.stringify(found));
  assert.ok(machine);
}

test("search, show, read, timeline, ask and pack name the owner of what they found", { skip }, () => {
  isAdas((eve.ok("search", "marmot connections").results as Owned[])[0]);
  isAdas((eve.ok("list", "--team").conversations as Owned[])[0]);
  isAdas((eve.ok("show", ID).conversations as Owned[])[0]);
  for (const words of [
    ["read", ID, "0"],
    ["timeline", `${ID}#0`],
    ["find", ID, "marmot"],
    ["prompts", ID],
  ]) {
    isAdas(eve.ok(...words) as Owned);
    assert.match(eve.run(...words).stdout, /ada on .+, github\.com\/acme\/notes/, words[0]);
  }
  isAdas((eve.ok("ask", "why do idle marmot connections pile up?").sources as Owned[])[0]);
  assert.match(eve.run("pack", "--task", "marmot connections").stdout, /5eed1111#0 Idle marmot.*\(ada, /);
});

interface Blame {
  ranges: { first: number; conversation?: Owned; written_by?: Owned }[];
  summary?: { by_conversation: Owned[] };
}

test("blame leads to the conversation of another member, by commit and by line, in a clone elsewhere", { skip }, () => {
  const blame = (...words: string[]) => eve.ok("blame", ...words) as unknown as Blame;
  const { ranges } = blame("packages/db/src/pool.ts");
  assert.deepEqual(
    ranges.map(({ first, conversation, written_by }) => [first, conversation?.address, written_by?.address]),
    [
      [1, undefined, undefined],
      [4, `${ID}#4`, `${ID}#1`],
    ],
  );
  isAdas(ranges[1]?.conversation);
  isAdas(ranges[1]?.written_by);
  isAdas(blame("--symbol", "closePool").ranges[0]?.written_by);
  isAdas(blame("packages/db/src/pool.ts:6", "--by", "ada").ranges[0]?.written_by);
  isAdas(blame("packages/db/src/pool.ts:6", "--team").ranges[0]?.conversation);
  isAdas(blame("--summary").summary?.by_conversation[0]);
  for (const choice of [["--local"], ["--by", "eve"]]) {
    assert.equal(blame("packages/db/src/pool.ts:6", ...choice).ranges[0]?.conversation, undefined, choice.join(" "));
  }
  assert.match(eve.run("blame", "packages/db/src/pool.ts:6").stdout, /written in .*\(ada on .*, github\.com/);
});

interface History {
  events: (Owned & { kind: string; ref: string; conversation?: Owned })[];
}

test("history shows what another member did to a file and to the project", { skip }, () => {
  const history = (...words: string[]) => (eve.ok("history", ...words) as unknown as History).events;
  const made = (events: History["events"]) => events.find(({ conversation }) => conversation)?.conversation;
  const ofFile = history("packages/db/src/pool.ts");
  assert.equal(made(ofFile)?.address, `${ID}#4`);
  isAdas(made(ofFile));
  isAdas(made(history("closePool")));
  const isTalk = ({ kind, ref }: { kind: string; ref: string }): boolean =>
    kind === "conversation" && ref === `${ID}#0`;
  isAdas(history().find(isTalk));
  isAdas(history("--by", "ada").find(isTalk));
  assert.match(eve.run("history").stdout, /5eed1111.* \(ada on .*, github\.com/);
  for (const choice of [["--local"], ["--by", "eve"]]) {
    assert.equal(history(...choice).find(isTalk), undefined, choice.join(" "));
    assert.equal(made(history("packages/db/src/pool.ts", ...choice)), undefined, choice.join(" "));
  }
});

interface Suggested {
  suggestions: (Owned & { type: string; entityId: string; reason: string })[];
}

test("suggestions know the conversations of others, by words and by file, and are recorded once", { skip }, () => {
  const suggest = (...words: string[]) => eve.ok("suggest", ...words) as unknown as Suggested;
  const conversations = ({ suggestions }: Suggested) => suggestions.filter(({ type }) => type === "conversation");
  const before = eve.json<{ total: number }>("suggest", "log").total;
  const prompt = ["--prompt", "idle marmot connections pile up again"];
  const asked = suggest(...prompt);
  isAdas(conversations(asked)[0]);
  const file = asked.suggestions.find(({ entityId }) => entityId === "file:packages/db/src/pool.ts");
  assert.match(file?.reason ?? "", /similar past conversation .* of ada on /);
  isAdas(conversations(suggest("--file", "packages/db/src/pool.ts"))[0]);
  assert.equal(eve.json<{ total: number }>("suggest", "log").total, before + 2);
  assert.equal(conversations(suggest(...prompt, "--local")).length, 0);
  assert.equal(conversations(suggest(...prompt, "--by", "eve")).length, 0);
  assert.equal(conversations(suggest(...prompt, "--team")).length, 1);
});

test("MCP tools answer with the same conversations and owners", { skip }, async () => {
  const client = await StdioClient.greeted(eve, "--tools", "all");
  try {
    const text = async (name: string, input: object): Promise<string> => {
      const { content, isError } = await client.call(name, input);
      assert.ok(!isError, content[0]?.text);
      return content.map((each) => each.text).join("\n");
    };
    assert.match(await text("dex_search", { query: "marmot connections" }), /ada on /);
    assert.match(await text("dex_get", { ids: [ID] }), /ada on /);
    assert.match(await text("dex_timeline", { anchor: `${ID}#0` }), /ada on /);
    assert.match(await text("dex_blame", { place: "packages/db/src/pool.ts:6" }), /ada on /);
    assert.match(await text("context_suggest", { prompt: "idle marmot connections pile up" }), /of ada on /);
  } finally {
    await client.end();
  }
});

test("hooks know what a refresh has fetched of the team, and never ask the server", { skip }, () => {
  const prompt = "Idle marmot connections pile up in the pool again: look why that happens";
  const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: eve.cwd, prompt };
  const options = { input: JSON.stringify(event), cwd: eve.cwd, encoding: "utf8", timeout: HANG_MS } as const;
  eve.ok("refresh");
  const port = Number(new URL(server.url).port);
  eve.throughPort(1);
  try {
    const env = { ...eve.env, DEX_HOOK_BUDGET_MS: "20000" };
    const { stdout } = spawnSync(process.execPath, [program, "hook", "claude"], { ...options, env });
    assert.match(stdout, /packages\/db\/src\/pool\.ts.*of ada on /);
  } finally {
    eve.throughPort(port);
  }
});

test("without the server, answers come from the cache, and say so", { skip }, () => {
  const port = Number(new URL(server.url).port);
  eve.throughPort(1);
  try {
    for (const words of [
      ["blame", "packages/db/src/pool.ts"],
      ["suggest", "--file", "packages/db/src/pool.ts"],
    ]) {
      const { stdout, stderr } = eve.run(...words);
      assert.match(stdout, /ada on /, words[0]);
      assert.match(stderr, /cannot be reached.*as they were/, words[0]);
    }
  } finally {
    eve.throughPort(port);
  }
});
