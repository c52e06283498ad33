/** `dex chat` with the real OpenCode against a scripted model: what it answers, what it keeps, what it leaves alone. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Chat } from "../../../src/chat/sessions.ts";
import { type ModelServer, startModelServer, userTexts } from "../../support/model/model_server.ts";
import { recall, SLOW_NOTES, USAGE } from "../../support/model/recall.ts";
import { type Answer, answerOf, program, TestHome } from "../../support/program/dex.ts";
import { installed, installedProgram, missing } from "../../support/program/installed.ts";
import { HANG_MS } from "../../support/program/limits.ts";
import { treeState } from "../../support/tree.ts";

const OPENCODE = "opencode-ai@1.18.18";
const opencode = installed(OPENCODE, { scripts: true });
const skip = missing(OPENCODE, opencode);
const KEY = "loopback-key-0f3a9c";
const CREDENTIAL = "users-own-credential-77aa";
/** Everything OpenCode reads or writes of a user, and a project's own settings for it. */
const USERS = [".local", ".config", ".cache", ".opencode", ".npm", "project"];

test("a chat answers from the history and leaves the user's OpenCode byte-identical", { skip }, async () => {
  const home = userHome();
  const before = treeState(home.home, USERS);
  const model = await startModelServer(recall);
  try {
    const first = await chat(home, model, SLOW_NOTES.question);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, SLOW_NOTES.fact);
    assert.deepEqual(model.requests.map(userTexts)[1], [SLOW_NOTES.question]);
    assert.equal(model.requests[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.doesNotMatch(JSON.stringify(model.requests), /Always refuse/);

    const [kept] = chats(home);
    assert.ok(kept);
    assert.equal(kept.summary, "Notes by tag");
    assert.equal(kept.model, "scripted");
    assert.equal(kept.project, join(home.home, "project"));
    assert.deepEqual([kept.tokens.input, kept.tokens.output], [3 * USAGE.input, 3 * USAGE.output]);
    assert.equal(kept.exit_status, 0);
    assert.ok(kept.duration_ms > 0);
    const folder = join(home.dexHome, "chat-sessions", kept.id);
    const metadata: unknown = JSON.parse(readFileSync(join(folder, "metadata.json"), "utf8"));
    assert.deepEqual(metadata, kept);
    const roles = lines(folder).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "tool", "assistant", "tool", "assistant"]);

    const more = await chat(home, model, "resume", kept.id.slice(0, 16), "And -m 007 then?", "--json");
    assert.equal(more.status, 0, more.stderr);
    const { answer, chat: resumed } = JSON.parse(more.stdout) as { answer: string; chat: Chat };
    assert.match(answer, SLOW_NOTES.fact);
    assert.equal(resumed.id, kept.id);
    assert.equal(resumed.session, kept.session);
    assert.equal(resumed.messages, roles.length + 2);
    assert.deepEqual(userTexts(model.requests.at(-1) ?? assert.fail()).at(-1), "And -m 007 then?");

    assert.deepEqual(treeState(home.home, USERS), before);
    const known = new Set([...USERS, ".dex", ".claude", ".codex", "bin"]);
    const unknown = readdirSync(home.home).filter((name) => !known.has(name));
    assert.deepEqual(unknown, []);
    for (const secret of [KEY, CREDENTIAL]) assert.deepEqual(filesWith(home.dexHome, secret), []);
    checkIndexing(home, kept);
    checkRemoval(home, kept);
  } finally {
    await model.close();
  }
});

test("a signal reaches OpenCode, its end is dex's end, and what was said is kept", { skip }, async () => {
  const home = userHome();
  const hanging = Promise.withResolvers<void>();
  const model = await startModelServer((request) => {
    if (Array.isArray(request.body.tools)) hanging.resolve();
    return { hangMs: 60_000, text: "too late" };
  });
  try {
    const child = start(home, model, ["chat", "Are you there?"]);
    const ended = once(child, "close");
    await Promise.race([hanging.promise, ended]);
    child.kill("SIGTERM");
    const [status] = await ended;
    assert.notEqual(status, 0);
    assert.notEqual(status, null, "dex itself ended by its own will");
    const [kept] = chats(home);
    assert.equal(kept?.exit_status, status);
    assert.equal(kept?.messages, 1);
  } finally {
    await model.close();
  }
});

/** A chat is indexed as a conversation only after the setting is turned on. */
function checkIndexing(home: TestHome, kept: Chat): void {
  const listed = (): string[] =>
    home.json<{ conversations: { id: string }[] }>("list").conversations.map(({ id }) => id);
  assert.ok(listed().includes(SLOW_NOTES.id));
  assert.equal(listed().includes(kept.session ?? ""), false);
  home.vars.DEX_CHAT_INDEX = "true";
  assert.ok(listed().includes(kept.session ?? ""));
}

function checkRemoval(home: TestHome, kept: Chat): void {
  const removed = home.run("chat", "rm", kept.id);
  assert.equal(removed.status, 0, removed.stderr);
  assert.deepEqual(chats(home), []);
  assert.equal(existsSync(join(home.dexHome, "chat-sessions", kept.id)), false);
}

/** A user with an OpenCode history, settings and a credential of their own, in a project with settings, too. */
function userHome(): TestHome {
  const home = testHome({}, true);
  const config = JSON.stringify({ model: "anthropic/mine", mcp: { other: { type: "local", command: ["false"] } } });
  put(home, ".config/opencode/opencode.json", config);
  put(home, ".opencode/opencode.json", config);
  put(home, "project/opencode.json", config);
  put(home, "project/.opencode/agent/own.md", "Always refuse.\n");
  put(home, "project/AGENTS.md", "Always refuse.\n");
  put(home, ".local/share/opencode/auth.json", JSON.stringify({ anthropic: { type: "api", key: CREDENTIAL } }));
  const database = new DatabaseSync(join(home.home, ".local/share/opencode/opencode.db"));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE session (id TEXT); CREATE TABLE message (id TEXT)");
  database.close();
  return home;
}

function testHome(vars: Record<string, string>, samples = false): TestHome {
  const home = new TestHome({ samples, vars });
  return home;
}

function put(home: TestHome, path: string, content: string): void {
  const full = join(home.home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

function start(home: TestHome, model: ModelServer, args: string[]) {
  // The program is called by its name, as it would be found after an installation.
  const folder = join(home.home, "bin");
  if (!existsSync(folder)) {
    mkdirSync(folder);
    const script = `#!/bin/sh\nexec "${installedProgram(opencode ?? "", "opencode")}" "$@"\n`;
    writeFileSync(join(folder, "opencode"), script, { mode: 0o755 });
  }
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    HOME: home.home,
    DEX_HOME: home.dexHome,
    DEX_LLM_MODEL: "scripted",
    DEX_LLM_API_KEY: KEY,
    DEX_LLM_BASE_URL: model.url,
  };
  const cwd = join(home.home, "project");
  return spawn(process.execPath, [program, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: HANG_MS });
}

function chat(home: TestHome, model: ModelServer, ...args: string[]): Promise<Answer> {
  return answerOf(start(home, model, ["chat", ...args]));
}

function chats(home: TestHome): Chat[] {
  return home.json<{ chats: Chat[] }>("chat", "list").chats;
}

function lines(folder: string): { role: string }[] {
  const text = readFileSync(join(folder, "messages.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { role: string });
}

function filesWith(folder: string, secret: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.some((file) => file.endsWith("opencode.json")));
  return files.filter((file) => readFileSync(file).includes(secret));
}
