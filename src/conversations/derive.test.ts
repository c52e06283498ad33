import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "../kernel/json.ts";
import { CommitFinder, deriveFiles } from "./derive.ts";
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

function files(...parts: Part[]): string[] {
  return deriveFiles(says(...parts)).map(({ path, how }) => `${how} ${path}`);
}

describe("deriveFiles", () => {
  test("knows the editing and reading tools of every agent", () => {
    const cases: [string, Json, string][] = [
      ["Edit", { file_path: "/p/a.ts", old_string: "x", new_string: "y" }, "edited /p/a.ts"],
      ["Write", { file_path: "Makefile", content: "all:" }, "edited Makefile"],
      ["MultiEdit", { file_path: "a.ts", edits: [{ old_string: "b.ts" }] }, "edited a.ts"],
      ["NotebookEdit", { notebook_path: "n.ipynb", new_source: "1" }, "edited n.ipynb"],
      ["edit_file", { target_file: "a.go" }, "edited a.go"],
      ["search_replace", { file_path: "a.go" }, "edited a.go"],
      ["replace", { file_path: "a.py" }, "edited a.py"],
      ["write_file", { absolute_path: "/x/a.py" }, "edited /x/a.py"],
      ["edit", { filePath: "/x/a.py" }, "edited /x/a.py"],
      ["create", { path: "a.rs", file_text: "" }, "edited a.rs"],
      ["str_replace_editor", { command: "str_replace", path: "a.rs" }, "edited a.rs"],
      ["str_replace_editor", { command: "view", path: "a.rs" }, "read a.rs"],
      ["developer__text_editor", { command: "view", path: "a.rs" }, "read a.rs"],
      ["replace_in_file", { path: "a.rs", diff: "" }, "edited a.rs"],
      ["multi_replace_string_in_file", { replacements: [{ filePath: "a.c" }] }, "edited a.c"],
      ["delete_file", { target_file: "old.ts" }, "edited old.ts"],
      ["fs_write", { command: "create", path: "k.rs" }, "edited k.rs"],
      ["mcp__files__write_file", { path: "docs/a.md" }, "edited docs/a.md"],
      ["Read", { file_path: "a.ts", limit: 10 }, "read a.ts"],
      ["view", { path: "a.ts" }, "read a.ts"],
      ["read_file", { relative_path: "a.ts" }, "read a.ts"],
      ["read_file", { args: { file: [{ path: "a.ts" }] } }, "read a.ts"],
      ["view_image", { path: "/t/shot.png" }, "read /t/shot.png"],
      [
        "fs_read",
        {
          operations: [
            { mode: "Line", path: "a.ts" },
            { mode: "Directory", path: "src" },
          ],
        },
        "read a.ts",
      ],
      ["Artifact", { file_path: "page.html" }, "mentioned page.html"],
      ["Grep", { pattern: "x", path: "src/a.ts" }, "mentioned src/a.ts"],
      ["Read", { file_path: "file:///p/a%20b.ts" }, "read /p/a b.ts"],
    ];
    for (const [name, input, expected] of cases) assert.deepEqual(files(call(name, input)), [expected], name);
  });

  test("folders, patterns, addresses and shell commands are not files", () => {
    assert.deepEqual(
      files(
        call("LS", { path: "/p/src" }),
        call("list_directory", { dir_path: "/p", path: "/p" }),
        call("Grep", { pattern: "x", path: "/p/src" }),
        call("Glob", { pattern: "**/*.ts", path: "src/**/*.ts" }),
        call("Bash", { command: "cat src/a.ts > b.ts", path: "c.ts" }),
        call("WebFetch", { url: "https://a.example/x.html" }),
        call("Read", { file_path: "https://a.example/x.html" }),
        call("Read", { file_path: "src/" }),
        call("Read", { file_path: ".." }),
        call("Read", { file_path: "  " }),
        call("Edit", { file_path: "a\nb" }),
        call("Edit", { file_path: 7 }),
        call("Edit", null),
        call("Edit", ["a.ts"]),
      ),
      [],
    );
  });

  test("a patch names its files, also when it goes through a shell", () => {
    const patch =
      "*** Begin Patch\n*** Add File: new.ts\n+x\n*** Update File: old.ts\n*** Move to: moved.ts\n*** Delete File: gone.ts\n*** End Patch";
    const expected = ["edited new.ts", "edited old.ts", "edited moved.ts", "edited gone.ts"];
    assert.deepEqual(files(call("apply_patch", patch)), expected);
    assert.deepEqual(files(call("apply_patch", { input: patch.replaceAll("\n", "\r\n") })), expected);
    assert.deepEqual(files(call("shell", { command: ["apply_patch", patch] })), expected);
    assert.deepEqual(
      files(call("shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] })),
      expected,
    );
    assert.deepEqual(files(call("Bash", { command: `echo '${patch}'` })), []);
  });

  test("each file once with its strongest use, in order; `files` of the part count", () => {
    assert.deepEqual(
      files(
        call("Read", { file_path: "b.ts" }),
        call("Read", { file_path: "a.ts" }),
        call("Edit", { file_path: "b.ts" }),
        call("Read", { file_path: "b.ts" }),
        call("exec", { code: "1" }, { files: ["c.ts"] }),
        call("apply_patch", {}, { files: ["d.ts"] }),
      ),
      ["edited b.ts", "read a.ts", "mentioned c.ts", "edited d.ts"],
    );
  });
});

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
