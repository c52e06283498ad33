import assert from "node:assert/strict";
import { test } from "node:test";
import { workOf } from "../../conversations/activity/work.ts";
import type { Message, Part } from "../../conversations/model.ts";
import { ReplacedCollector } from "./replaced.ts";
import { RunCollector } from "./runs.ts";
import { didText, openText, SessionCollector } from "./session.ts";
import { UndoneCollector } from "./undone.ts";

const user = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
const agent = (...parts: Part[]): Message => ({ role: "assistant", parts });
const says = (text: string): Message => agent({ type: "text", text });
const calls = (name: string, input: object): Message =>
  agent({ type: "tool_call", id: `${name} 1`, name, input: input as Record<string, string> });
const inside = (path: string): string | undefined => (path.startsWith("/") ? undefined : path);

function linesOf(messages: readonly Message[]): { did: string; open: string } {
  const session = new SessionCollector();
  const all = messages.map((message, index) => ({ index, message }));
  const runs = new RunCollector(["/p"], "/p");
  for (const { index, message } of all) {
    session.take(index, message);
    runs.take(index, message, index);
  }
  const work = workOf(all);
  return { did: didText(work, session, runs.runs(), inside), open: openText(work, session) };
}

test("the points below a heading such as next steps are open, unless work went on", () => {
  const report = "Done.\n\n**Next steps:**\n- Type the tables\n- Ask the harbour\n\nThat is all.";
  assert.equal(linesOf([user("Do it"), says(report)]).open, "Type the tables; Ask the harbour");
  assert.equal(linesOf([user("Do it"), says(report), user("Go on"), says("All done.")]).open, "");
  assert.equal(linesOf([user("Do it"), says("Next steps are clear, I think.\n- one")]).open, "");
});

test("unfinished to-dos are open, unless a later commit made the list stale", () => {
  const list = calls("TodoWrite", {
    todos: [
      { content: "Draw the curve", status: "in_progress" },
      { content: "Find the data", status: "completed" },
    ],
  });
  assert.equal(linesOf([user("Do it"), list, says("So far.")]).open, "Draw the curve");
  const commit: Message = {
    role: "user",
    parts: [{ type: "tool_result", name: "Bash", output: "[main abc1234] feat: curve\n 1 file changed" }],
  };
  const { did, open } = linesOf([user("Do it"), list, commit, says("Done.")]);
  assert.deepEqual([did, open], ['1 commit, last abc1234 "feat: curve"', ""]);
});

test("how the tests ended, unless a pipe hides the end of a later run", () => {
  const run = (id: string, command: string, exit_code: number): Message[] => [
    agent({ type: "tool_call", id, name: "Bash", input: { command } }),
    { role: "tool", parts: [{ type: "tool_result", id, name: "Bash", output: "", exit_code }] },
  ];
  const passed = run("1", "git rm -q old && go build ./... && go test ./...", 0);
  assert.equal(linesOf([user("Do it"), ...passed]).did, "`go test ./...` passed last");
  assert.equal(linesOf([user("Do it"), ...passed, ...run("2", "go test ./a", 1)]).did, "`go test ./a` failed last");
  assert.equal(linesOf([user("Do it"), ...passed, ...run("2", "go test ./... | grep -v ^ok", 0)]).did, "");
});

test("a last turn that the user interrupted is open, with its request", () => {
  const { open } = linesOf([user("Rename the tables"), says("Let me see"), user("[Request interrupted by user]")]);
  assert.match(open, /^interrupted by the user while working on: Rename the tables$/);
});

test("a restored file counts as taken back only if the request says that the edit was not wanted", () => {
  const undoneAfter = (request: string): string[] => {
    const collector = new UndoneCollector(inside);
    const edit = calls("Edit", { file_path: "src/tide.ts", old_string: "a", new_string: "b" });
    const restore = calls("Bash", { command: "git checkout -- src/tide.ts src/other.ts" });
    for (const [index, message] of [user("Do it"), edit, user(request), restore].entries())
      collector.take(index, message, index);
    return collector.undone().map(({ path, text }) => `${path}: ${text}`);
  };
  assert.deepEqual(undoneAfter("No, revert that, it breaks the tables"), [
    "src/tide.ts: No, revert that, it breaks the tables",
  ]);
  assert.deepEqual(undoneAfter("Make two commits of it"), []);
});

test("the opposite edit has the same texts the other way round, whatever lines it quotes around them", () => {
  const replacedBy = (before: string, after: string) => {
    const collector = new ReplacedCollector(inside);
    const edit = calls("Edit", { file_path: "src/tide.ts", old_string: before, new_string: after });
    for (const [index, message] of [user("Do it"), edit].entries()) collector.take(index, message, index);
    return collector.replaced();
  };
  const [once] = replacedBy(
    "level = 1;\nreturn levels(tables, moon);",
    "level = 1;\nreturn cached(() => levels(tables));",
  );
  const [back] = replacedBy("  return cached(() => levels(tables));\n}", "  return levels(tables, moon);\n}");
  assert.ok(once && back);
  assert.deepEqual([back.before, back.after], [once.after, once.before]);
  assert.deepEqual(replacedBy("on = true", "on = false"), [], "a flag");
});
