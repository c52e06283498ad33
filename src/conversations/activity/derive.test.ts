import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "../../kernel/json.ts";
import type { Message, Part } from "../model.ts";
import { deriveFiles } from "./derive.ts";

function call(name: string, input: Json, extra: { id?: string; files?: string[] } = {}): Part {
  return { type: "tool_call", name, input, ...extra };
}

function says(...parts: Part[]): Message {
  return { role: "assistant", parts };
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
      ["editor", { path: "a.rs", old_text: "b", new_text: "c" }, "edited a.rs"],
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
