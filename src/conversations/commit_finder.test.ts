import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "../kernel/json.ts";
import { CommitFinder } from "./commit_finder.ts";
import type { Message, Part, ToolResultPart } from "./model.ts";

function call(name: string, input: Json, extra: { id?: string; files?: string[] } = {}): Part {
  return { type: "tool_call", name, input, ...extra };
}

function says(...parts: Part[]): Message {
  return { role: "assistant", parts };
}

function answers(output: string, extra: Partial<ToolResultPart> = {}): Message {
  return { role: "tool", parts: [{ type: "tool_result", output, ...extra }] };
}

function commits(...messages: Message[]): string[] {
  const finder = new CommitFinder();
  return messages.flatMap((message, index) => finder.feed(index, message)).map(line);
}

function line(commit: { index: number; sha: string; subject: string; branch?: string }): string {
  return `${commit.index} ${commit.branch ?? "-"} ${commit.sha} ${commit.subject}`;
}

const bash = (command: Json, id?: string): Message => says(call("Bash", { command }, id === undefined ? {} : { id }));

describe("CommitFinder", () => {
  test("takes what git says in the command's own result", () => {
    assert.deepEqual(
      commits(
        bash("git add -A && git commit -m 'x'", "c1"),
        answers("[main abc1234] fix: an error in the parser\n 1 file changed, 2 insertions(+)", { id: "c1" }),
      ),
      ["1 main abc1234 fix: an error in the parser"],
    );
  });

  test("root commits, detached heads, slashes, CRLF", () => {
    const said = (output: string) => commits(bash("git commit -m x", "c"), answers(output, { id: "c" }));
    assert.deepEqual(said("[main (root-commit) abc1234] first"), ["1 main abc1234 first"]);
    assert.deepEqual(said("[detached HEAD abc1234] fix"), ["1 - abc1234 fix"]);
    assert.deepEqual(said("[feat/x-1 abc1234de] fix: [a] b\r\n 1 file"), ["1 feat/x-1 abc1234de fix: [a] b"]);
    assert.deepEqual(said("lint ok\n[main abc1234] one\n 1 file changed\n[main def5678] two\n"), [
      "1 main abc1234 one",
      "1 main def5678 two",
    ]);
    assert.deepEqual(said("[12:30:00 1234567] log line\n[INFO] abc1234 x\n nothing to commit"), []);
  });

  test("a failure behind the commit does not unmake it", () => {
    assert.deepEqual(
      commits(
        bash("git commit -m x && git push", "c"),
        answers("[main abc1234] error handling\nerror: failed to push some refs", {
          id: "c",
          is_error: true,
          exit_code: 1,
        }),
      ),
      ["1 main abc1234 error handling"],
    );
  });

  test("another command's output, and other commands, make no commit", () => {
    assert.deepEqual(
      commits(
        bash("git commit -m x", "c1"),
        bash("cat notes.txt", "c2"),
        answers("[main abc1234] a quoted line", { id: "c2" }),
        answers("nothing to commit", { id: "c1", exit_code: 1 }),
        says(call("Read", { file_path: "git commit" }, { id: "c3" })),
        answers("[main abc1234] a quoted line", { id: "c3" }),
        bash("git log --oneline; echo committed", "c4"),
        answers("[main abc1234] a quoted line", { id: "c4" }),
      ),
      [],
    );
  });

  test("every agent's shell and every way to write the command", () => {
    const inputs: [string, Json][] = [
      ["exec_command", { cmd: "git commit -m x" }],
      ["shell", { command: ["bash", "-lc", "cd a && git commit -m x"] }],
      ["run_terminal_cmd", { command: "git -C /p/a commit --amend --no-edit" }],
      ["run_shell_command", { command: "git -c user.name='A B' --no-pager commit -am x" }],
      ["developer__shell", { command: "GIT_EDITOR=true git rebase --continue" }],
      ["PowerShell", { command: "git.exe commit -m x" }],
      ["execute_command", { command: "git cherry-pick abc" }],
    ];
    for (const [name, input] of inputs) {
      const found = commits(says(call(name, input, { id: "1" })), answers("[main abc1234] s", { id: "1" }));
      assert.deepEqual(found, ["1 main abc1234 s"], name);
    }
  });

  test("calls without ids are answered in order", () => {
    assert.deepEqual(
      commits(
        says(call("Read", { file_path: "a" }), call("Bash", { command: "git commit -m x" })),
        answers("[main 1111111] not this"),
        answers("[main 2222222] this"),
      ),
      ["2 main 2222222 this"],
    );
  });

  test("a quiet commit is found by the log behind it, if the subject is its own", () => {
    const command = "git commit -q -F - <<'EOF'\nfeat: quiet as a mouse\nEOF\ngit log --oneline -2";
    assert.deepEqual(
      commits(
        bash(command, "c"),
        answers("abc1234 (HEAD -> main) feat: quiet as a mouse\ndef5678 feat: an older one", { id: "c" }),
      ),
      ["1 - abc1234 feat: quiet as a mouse"],
    );
  });

  test("a commit that runs on is found where its output is looked at", () => {
    const stdin = says(call("write_stdin", { session_id: 7, chars: "" }, { id: "c2" }));
    assert.deepEqual(
      commits(
        says(call("exec_command", { cmd: "git commit -m x" }, { id: "c1" })),
        answers("Process running with session ID 7", { id: "c1" }),
        stdin,
        answers("[main abc1234] slow hooks", { id: "c2", exit_code: 0 }),
      ),
      ["3 main abc1234 slow hooks"],
    );
    assert.deepEqual(commits(stdin, answers("[main abc1234] x", { id: "c2" })), []);
  });

  test("a finder goes on where the last one stopped, at every place", () => {
    const messages = [
      bash("git commit -m one", "c1"),
      answers("[main 1111111] one", { id: "c1" }),
      says(call("exec_command", { cmd: "git commit -m two" }, { id: "c2" })),
      answers("", { id: "c2" }),
      says(call("write_stdin", { session_id: 7 }, { id: "c3" })),
      answers("[main 2222222] two", { id: "c3" }),
    ];
    const whole = commits(...messages);
    assert.equal(whole.length, 2);
    for (let cut = 0; cut <= messages.length; cut += 1) {
      const first = new CommitFinder();
      const found = messages.slice(0, cut).flatMap((message, i) => first.feed(i, message));
      const second = new CommitFinder(first.awaited());
      found.push(...messages.slice(cut).flatMap((message, i) => second.feed(cut + i, message)));
      assert.deepEqual(found.map(line), whole, `cut at ${cut}`);
    }
  });

  test("pull requests", () => {
    const finder = new CommitFinder();
    finder.feed(0, bash("git push && gh pr create --fill", "c"));
    finder.feed(1, answers("Creating pull request\nhttps://github.com/acme/app/pull/12\n", { id: "c" }));
    assert.deepEqual(finder.pullRequests, [{ index: 1, url: "https://github.com/acme/app/pull/12" }]);
  });

  test("is quick on hostile commands", () => {
    const started = performance.now();
    commits(bash("git -c a=b ".repeat(50_000), "c"), answers(`[${"a ".repeat(200_000)}`, { id: "c" }));
    commits(bash(`git commit -m "${"git ".repeat(100_000)}`, "c"), answers("abc1234 ".repeat(100_000), { id: "c" }));
    assert.ok(performance.now() - started < 500);
  });
});
