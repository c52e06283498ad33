/** `dex chat` where there is no OpenCode, and no chat yet; with the real one it is tried in outside/clients/chat.test.ts. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestHome } from "../support/program/dex.ts";

function newHome(vars: Record<string, string> = {}): TestHome {
  return new TestHome({ vars });
}

test("without OpenCode there is one sentence with the way to install it", () => {
  const home = newHome({ PATH: "/nowhere" });
  const answer = home.run("chat", "hello");
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /^dex: [^\n]+npm install -g opencode-ai[^\n]+\n$/);
  assert.equal(existsSync(join(home.dexHome, "chat-sessions")), false);
});

test("no chats: list finds nothing, resume and rm say so", () => {
  const home = newHome();
  assert.equal(home.run("chat", "list").status, 1);
  const removed = home.run("chat", "rm", "../../etc");
  assert.equal(removed.status, 1);
  assert.match(removed.stderr, /There is no chat "..\/..\/etc"/);
});
