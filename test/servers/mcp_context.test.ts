/** The tools that speak before they are asked, called over stdio as an agent would in the middle of its work. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writeDialogue } from "../support/histories/dialogue.ts";
import { TestHome } from "../support/program/dex.ts";
import { RunningWatch, until } from "../support/program/watch.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";
import { StdioClient, type ToolResult } from "../support/servers/mcp.ts";

const SESSION = "aaaa1111-0000-4000-8000-000000000001";

const home = new TestHome({ vars: { ...GIT_VARS } });
const repo = new TestRepository();
let client: StdioClient;
let watch: RunningWatch | undefined;

interface Suggested {
  id: string;
  projectId: string;
  suggestions: { type: string; entityId: string; actionUrl: string; reason: string; relevanceScore: number }[];
  tokens: number;
}
interface Polled {
  deliveries: { id: string; cursor: number; subscriptionId: string; suggestion?: Suggested }[];
  cursor: number;
}

before(async () => {
  repo.clock = Date.now() - 24 * 3_600_000;
  for (let round = 1; round <= 3; round += 1) {
    repo.commit(`feat: queue, part ${round}`, {
      "src/queue.ts": `export function drain(most: number): number {\n  return most + ${round};\n}\n`,
      "src/worker.ts": `import { drain } from "./queue.ts";\nexport const work = (): number => drain(${round});\n`,
    });
  }
  const edit = { file_path: join(repo.root, "src/queue.ts"), old_string: "a", new_string: "b" };
  const turns = [{ user: "The queue never drains at night" }, { tool: "Edit", input: edit }, { agent: "It drains." }];
  writeDialogue(home.home, SESSION, turns, { start: Date.now() - 3_600_000, cwd: repo.root });
  home.cwd = repo.root;
  assert.equal(home.run("refresh").status, 0);
  client = await StdioClient.greeted(home, "--tools=all");
});
after(async () => {
  watch?.process.kill("SIGKILL");
  await client?.end();
});

async function answer<T>(name: string, input: object): Promise<{ output: T; text: string }> {
  const result: ToolResult = await client.call(name, input);
  assert.equal(result.isError, undefined, JSON.stringify(result));
  return { output: result.structuredContent as T, text: result.content[0]?.text ?? "" };
}

test("a file is opened: dex suggests related files, and the agent reports whether it used them", async () => {
  const asked = { currentFile: "src/queue.ts", minRelevanceScore: 0, sessionId: "now" };
  const { output, text } = await answer<Suggested>("context_suggest", asked);
  assert.match(output.id, /^sug_[0-9a-f]{12}$/);
  const at = output.suggestions.findIndex(({ entityId }) => entityId === "file:src/worker.ts");
  assert.ok(at >= 0, text);
  assert.match(text, /src\/worker\.ts/);
  assert.ok(text.includes(output.id), "an agent that reads the text alone can tell what became of it");
  const told = { suggestionId: output.id, action: "used", itemIndex: at };
  const { output: noted } = await answer<{ status: string; items: { entityId: string }[] }>(
    "suggestion_feedback",
    told,
  );
  assert.deepEqual([noted.status, noted.items.map(({ entityId }) => entityId)], ["used", ["file:src/worker.ts"]]);
  const wrong = await client.call("suggestion_feedback", { ...told, suggestionId: "sug_000000000000" });
  assert.equal(wrong.isError, true);
  assert.equal(wrong._meta?.["dex/error"]?.code, "unknown_suggestion");
});

test("saved memories and decisions are suggested for their file and packed for their task", async () => {
  const text = "Workers drain at most fifty jobs at once";
  const because = "the database has sixty connections";
  const kept = { text, because, kind: "decision", files: ["src/queue.ts"] };
  const { output } = await answer<{ saved: { id: string; files: string[] }; merged: boolean }>("dex_save", kept);
  assert.deepEqual([output.saved.files, output.merged], [["src/queue.ts"], false]);
  const { output: found } = await answer<Suggested>("context_suggest", {
    currentFile: "src/queue.ts",
    minRelevanceScore: 0,
  });
  assert.ok(
    found.suggestions.some(({ type, entityId }) => type === "decision" && entityId === `decision:${output.saved.id}`),
    JSON.stringify(found.suggestions),
  );
  const { output: listed } = await answer<{ decisions: { id: string; place: string }[] }>("dex_decisions", {});
  assert.equal(listed.decisions.find(({ id }) => id === output.saved.id)?.place, "an agent", "it names who saved it");
  const asked = { task: "drain the queue faster", max_tokens: 600 };
  const { output: pack } = await answer<{ text: string; tokens: number }>("dex_pack", asked);
  assert.match(pack.text, /^<dex-context>[\s\S]*at most fifty jobs[\s\S]*<\/dex-context>$/);
  assert.match(pack.text, /The queue never drains at night/);
  assert.ok(pack.tokens <= 600);
});

test("an agent subscribes, a file changes while dex watches, and polling gives the suggestion once", async () => {
  const wanted = { file: ["src/**"], minRelevanceScore: 0 };
  const { output } = await answer<{ subscription: { id: string; callbackType: string } }>("context_subscribe", wanted);
  const { id, callbackType } = output.subscription;
  assert.match(id, /^sub_[0-9a-f]{12}$/);
  assert.equal(callbackType, "poll");
  const poll = async (input: object): Promise<Polled> => (await answer<Polled>("context_poll", input)).output;
  assert.deepEqual((await poll({ id })).deliveries, []);
  watch = await RunningWatch.start(home);
  repo.write("src/queue.ts", "export function drain(most: number): number {\n  return most * 2;\n}\n");
  const delivery = await until("a delivery", async () => (await poll({ id })).deliveries[0]);
  assert.equal(delivery.subscriptionId, id);
  assert.ok((delivery.suggestion?.suggestions.length ?? 0) > 0, JSON.stringify(delivery));
  assert.deepEqual((await poll({ id })).deliveries, [], "each is given once");
  const again = await poll({ id, after: delivery.cursor - 1 });
  assert.equal(again.deliveries[0]?.id, delivery.id, "and again to a reader that names where it was");
  assert.equal(await watch.end(), 0);
});
