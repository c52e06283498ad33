/** Summaries of work from the records of several agents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../kernel/json.ts";
import type { Message, Part } from "../model.ts";
import { editsOf } from "./edits.ts";
import { TodoList } from "./todos.ts";
import { closingOf, workOf } from "./work.ts";

const call = (name: string, input: Json, id?: string): Part & { type: "tool_call" } => ({
  type: "tool_call",
  name,
  input,
  ...(id === undefined ? {} : { id }),
});

test("lines are counted as the call states them", () => {
  const replaced = { file_path: "a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\n2b\nthree" };
  assert.deepEqual(editsOf(call("Edit", replaced)), [{ path: "a.ts", added: 2, removed: 1 }]);
  assert.deepEqual(editsOf(call("Write", { file_path: "a.ts", content: "1\n2\n" })), [
    { path: "a.ts", added: 2, removed: 0 },
  ]);
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "" },
  ];
  assert.deepEqual(editsOf(call("MultiEdit", { file_path: "a.ts", edits })), [{ path: "a.ts", added: 1, removed: 2 }]);
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n+z\n*** Add File: b.ts\n+new\n*** End Patch";
  const both = [
    { path: "a.ts", added: 2, removed: 1 },
    { path: "b.ts", added: 1, removed: 0 },
  ];
  assert.deepEqual(editsOf(call("apply_patch", patch)), both);
  assert.deepEqual(editsOf(call("shell", { command: ["apply_patch", patch] })), both);
  assert.deepEqual(editsOf(call("Read", { file_path: "a.ts" })), []);
  assert.deepEqual(editsOf(call("Bash", { command: "sed -i s/a/b/ a.ts" })), []);
});

test("the latest list counts, and single entries are created and updated", () => {
  const list = new TodoList();
  list.take(call("TodoWrite", { todos: [{ content: "a", status: "pending" }] }));
  list.take(
    call("update_plan", {
      plan: [
        { step: "b", status: "completed" },
        { step: "c", status: "in_progress" },
      ],
    }),
  );
  assert.deepEqual(list.todos, [
    { text: "b", status: "done" },
    { text: "c", status: "doing" },
  ]);
  const tasks = new TodoList();
  tasks.take(call("TaskCreate", { subject: "first" }));
  tasks.take(call("TaskCreate", { subject: "second" }));
  tasks.take(call("TaskUpdate", { taskId: "1", status: "completed" }));
  assert.deepEqual(tasks.todos, [
    { text: "first", status: "done" },
    { text: "second", status: "open" },
  ]);
  tasks.take(call("ExitPlanMode", { plan: "words" }));
  assert.equal(tasks.todos.length, 2);
});

test("the first request and the last five are kept, and program texts are not requests", () => {
  const messages: Message[] = Array.from({ length: 12 }, (_, i) => said("user", `request number ${i}`));
  messages.splice(3, 0, said("user", "[Request interrupted by user]"), {
    ...said("user", "a summary"),
    kind: "summary",
  });
  const work = workOf(numbered(messages));
  assert.equal(work.request_count, 12);
  assert.deepEqual(
    work.requests.map(({ text }) => text),
    ["request number 0", ...[7, 8, 9, 10, 11].map((n) => `request number ${n}`)],
  );
});

test("the last run of a command counts; edits take precedence over reads", () => {
  const run = (id: string, command: string, failed: boolean): Message[] => [
    { role: "assistant", parts: [call("Bash", { command }, id)] },
    { role: "tool", parts: [{ type: "tool_result", id, output: "", exit_code: failed ? 1 : 0 }] },
  ];
  const work = workOf(
    numbered([
      ...run("1", "npm test", true),
      { role: "assistant", parts: [call("Read", { file_path: "a.ts" }), call("Read", { file_path: "b.ts" })] },
      { role: "assistant", parts: [call("Edit", { file_path: "a.ts", old_string: "x", new_string: "y" })] },
      ...run("2", "npm test", false),
      ...run("3", "npm run lint", true),
      ...run("4", "grep nothing", true),
      said("assistant", "Done."),
    ]),
  );
  assert.deepEqual(work.failing, [{ text: "npm run lint", index: 7 }]);
  assert.deepEqual(work.fixed, [{ text: "npm test", index: 5 }]);
  assert.deepEqual(work.files, [{ path: "a.ts", edits: 1, added: 1, removed: 1, last: 3 }]);
  assert.deepEqual(work.read, ["b.ts"]);
  assert.deepEqual(work.outcome, { text: "Done.", index: 10 });
});

test("an interrupted run does not count, and a pipe that truncates the output does not make another command", () => {
  const run = (id: string, command: string, exit_code: number, output = ""): Message[] => [
    { role: "assistant", parts: [call("Bash", { command }, id)] },
    { role: "tool", parts: [{ type: "tool_result", id, output, exit_code }] },
  ];
  const refused: Message[] = [
    { role: "assistant", parts: [call("Bash", { command: "npm publish" }, "r")] },
    {
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id: "r",
          output: "The user doesn't want to proceed with this tool use.",
          is_error: true,
        },
      ],
    },
  ];
  const failing = (...messages: Message[]): string[] => workOf(numbered(messages)).failing.map(({ text }) => text);
  assert.deepEqual(failing(...run("1", "bun test 2>&1 | head -100", 137), ...refused, ...run("2", "make", 130)), []);
  assert.deepEqual(failing(...run("1", "bun test", 1), ...run("2", "bun test", 137)), ["bun test"]);
  assert.deepEqual(failing(...run("1", "bun test", 1), ...run("2", "bun test 2>&1 | tail -5", 0, "12 pass")), []);
  const piped = run("2", "bun test 2>&1 | tail -5", 0, "11 pass\n1 fail");
  assert.deepEqual(failing(...run("1", "bun test", 1), ...piped), ["bun test 2>&1 | tail -5"]);
});

test("a failure is settled by a commit, or when everything that the line ran passed in another form", () => {
  const run = (id: string, command: string, exit_code: number, output = ""): Message[] => [
    { role: "assistant", parts: [call("Bash", { command }, id)] },
    { role: "tool", parts: [{ type: "tool_result", id, name: "Bash", output, exit_code }] },
  ];
  const failing = (...messages: Message[]): string[] => workOf(numbered(messages)).failing.map(({ text }) => text);
  const line = "gofmt -w . && go build ./... && go test ./a ./b";
  const built = run("2", "go build ./...", 0);
  assert.deepEqual(failing(...run("1", line, 1), ...built), [line]);
  assert.deepEqual(failing(...run("1", line, 1), ...built, ...run("3", "gofmt -l . && go test ./...", 0)), []);
  assert.deepEqual(failing(...run("1", "go test ./a", 1), ...run("2", "go test ./b", 0)), ["go test ./a"]);
  assert.deepEqual(failing(...run("1", "npm run lint", 1), ...run("2", "npm run build", 0)), ["npm run lint"]);
  const commit = run("2", "git commit -am done", 0, "[main 1a2b3c4] done\n 1 file changed, 1 insertion(+)\n");
  assert.deepEqual(failing(...run("1", "make check", 2), ...commit), []);
  assert.deepEqual(failing(...commit, ...run("1", "make check", 2)), ["make check"]);
  assert.deepEqual(failing(...run("1", "gh pr checks 12", 8), ...run("2", "git -C /a status", 128)), []);
});

test("the agent's last text is final, unfinished or about an earlier request", () => {
  const closing = (...messages: Message[]) => closingOf(workOf(numbered(messages)));
  const turn = [said("user", "fix the pool"), said("assistant", "Fixed, and all tests pass.")];
  const tool: Message = { role: "assistant", parts: [call("Bash", { command: "git push" })] };
  assert.equal(closing(said("user", "fix the pool")), undefined);
  assert.deepEqual(closing(...turn, tool), { text: "Fixed, and all tests pass.", index: 1, stage: "unfinished" });
  assert.deepEqual(closing(...turn), { text: "Fixed, and all tests pass.", index: 1, stage: "final" });
  assert.deepEqual(closing(...turn, said("user", "push it"), tool), {
    ...{ text: "Fixed, and all tests pass.", index: 1, stage: "earlier" },
  });
  const pushing = said("assistant", "I'll push the branch now.");
  const interrupted = workOf(numbered([...turn, said("user", "push it"), pushing, tool]));
  assert.deepEqual(closingOf(interrupted), { text: "I'll push the branch now.", index: 3, stage: "unfinished" });
  assert.equal(interrupted.outcome?.index, 1, "the final message of the turn before");
  const waiting = "The monitor still watches the build (no need to poll further).";
  assert.equal(closing(...turn, said("user", "push it"), said("assistant", waiting))?.stage, "final");
  const listing = "Pushed. The command was:\n```sh\ngit push\n```";
  assert.equal(closing(...turn, said("user", "push it"), said("assistant", listing))?.stage, "final", "code follows");
});

test("an amended commit takes the place of the one before", () => {
  const commit = (id: string, command: string, sha: string, subject: string, date = ""): Message[] => [
    { role: "assistant", parts: [call("Bash", { command }, id)] },
    {
      role: "tool",
      parts: [{ type: "tool_result", id, output: `[main ${sha}] ${subject}\n${date} 1 file changed\n` }],
    },
  ];
  const dated = " Date: Sun Mar 1 10:00:00 2026 +0000\n";
  const shas = (...messages: Message[]): string[] => workOf(numbered(messages)).commits.map(({ sha }) => sha);
  const first = commit("1", "git commit -m pool", "aaaaaa1", "feat: pool");
  const second = commit("2", "git commit -m wip", "bbbbbb2", "wip");
  const third = commit("3", "git commit -m wip", "cccccc3", "wip");
  assert.deepEqual(shas(...first, ...second, ...third), ["aaaaaa1", "bbbbbb2", "cccccc3"]);
  const reworded = commit("4", "git add . && git commit --amend -m done", "dddddd4", "fix: done", dated);
  assert.deepEqual(shas(...first, ...second, ...reworded), ["aaaaaa1", "dddddd4"]);
  const rebased = commit("5", "git rebase --continue", "eeeeee5", "feat: pool", dated);
  assert.deepEqual(shas(...first, ...second, ...rebased), ["bbbbbb2", "eeeeee5"]);
  const picked = commit("6", "git cherry-pick fffffff", "fffff66", "feat: elsewhere", dated);
  assert.deepEqual(shas(...first, ...picked), ["aaaaaa1", "fffff66"]);
  const subject = "feat: close idle connections";
  const made = commit("7", `git commit -m "${subject}"`, "1111111", subject);
  const again = commit("8", `git reset --soft HEAD~1 && git commit -m "${subject}"`, "2222222", subject);
  assert.deepEqual(shas(...made, ...first, ...again), ["aaaaaa1", "2222222"]);
});

function said(role: "user" | "assistant", text: string): Message {
  return { role, parts: [{ type: "text", text }] };
}

function numbered(messages: readonly Message[]): { index: number; message: Message }[] {
  return messages.map((message, index) => ({ index, message }));
}
