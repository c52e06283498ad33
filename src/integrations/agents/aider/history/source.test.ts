import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Message } from "../../../../conversations/model.ts";
import type { Json } from "../../../../kernel/json.ts";
import { aiderHistory } from "./source.ts";

const HISTORY = [
  "",
  "# aider chat started at 2026-03-02 09:15:00",
  "",
  "> Newer aider version v0.90.0 is available.  ",
  "> Aider v0.86.1  ",
  "> Main model: openrouter/acme/coder-2 with diff edit format  ",
  "> Weak model: openrouter/acme/coder-mini  ",
  "> Git repo: .git with 44 files  ",
  "> Repo-map: using 4096 tokens, auto refresh  ",
  "",
  "#### /add src/notes.py  ",
  "> Added src/notes.py to the chat  ",
  "",
  "#### Make list_notes return  ",
  "####   ",
  "#### - newest first  ",
  "#### ```python  ",
  "#### #### not a heading  ",
  "#### ```  ",
  "",
  "<thinking-content-0123456789abcdef0123456789abcdef>",
  "",
  "Sort by created, descending.",
  "",
  "</thinking-content-0123456789abcdef0123456789abcdef>",
  "",
  "I sort by `created`.",
  "",
  "#### A heading of the answer",
  "",
  "> a quotation in the answer",
  "",
  "src/notes.py",
  "```python",
  "<<<<<<< SEARCH",
  "    return notes",
  "=======",
  "#### a comment in code",
  "> a quotation in code",
  "    return sorted(notes, key=lambda n: n.created, reverse=True)",
  ">>>>>>> REPLACE",
  "```",
  "",
  "> Tokens: 2.1k sent, 300 received. Cost: $0.01 message, $0.01 session.  ",
  "> Applied edit to src/notes.py  ",
  "> Commit 85995a7 feat: list notes newest first  ",
  "> You can use /undo to undo and discard each aider commit.  ",
  "",
  "#### /tokens  ",
  "> Approximate context window usage, in tokens:",
  "",
  "$ 0.0011      742 system messages",
  "$ 0.0020    1,337 repository map  ",
  "",
  "#### /run pytest -q  ",
  "> Add 0.3k tokens of command output to the chat? (Y)es/(N)o [Yes]: y  ",
  "> Added 12 lines of output to the chat.",
  "second line of the same output  ",
  "",
  "#### Fix the files? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all  ",
  "#### <blank>  ",
  "",
  "# aider chat started at 2026-03-02 09:20:00",
  "",
  "> Aider v0.86.1  ",
  "> Model: acme/other with whole edit format  ",
  ">  ",
  "> ^C KeyboardInterrupt  ",
  "",
  "# aider chat started at 2026-03-03 18:00:00",
  "",
  "> Aider v0.86.1  ",
  "> Model: acme/other with whole edit format  ",
  "",
  "#### and the tests?  ",
  "",
  "Here they are:",
  "",
  "tests/test_notes.py",
  "```python",
  "def test_order():",
  "    assert True  # the answer broke off here",
  "",
  "> Tokens: 1k sent, 12 received.  ",
  "",
  "#### go on  ",
  "",
  "Done.",
  "",
  "# aider chat started at 2026-03-03 18:00:00",
  "",
  "#### same second, another run  ",
  "",
  "Yes.",
  "",
].join("\n");

let root = "";
let file = "";
const env = (vars: Record<string, string> = {}) => testEnv("/home/nobody", vars, [root]);
const idOf = (start: string): string =>
  `aider-${createHash("sha1").update(`${file}${start}`).digest("hex").slice(0, 12)}`;

before(() => {
  root = mkdtempSync(join(tmpdir(), "dex-aider-"));
  file = join(root, ".aider.chat.history.md");
});
after(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => writeFileSync(file, HISTORY));

/** Writes the content with an explicit mtime, because two writes may fall into one tick of the clock. */
let tick = 1_700_000_000;
function put(content: string | Buffer): void {
  writeFileSync(file, content);
  tick += 1;
  utimesSync(file, tick, tick);
}

function readWhole(content: string | Buffer = HISTORY): Map<string, ReadConversation> {
  put(content);
  const sink = new CollectingSink();
  readAll(aiderHistory, env(), sink);
  return sink.conversations;
}

function run(start: string, from = readWhole()): ReadConversation {
  const found = from.get(idOf(`# aider chat started at ${start}`));
  assert.ok(found, `no run of ${start}`);
  return found;
}

const brief = (messages: Message[]): string[] =>
  messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join("+")}`);

describe("where Aider's history is", () => {
  it("is found in a root, and nowhere below it", () => {
    mkdirSync(join(root, "below"), { recursive: true });
    writeFileSync(join(root, "below", ".aider.chat.history.md"), HISTORY);
    assert.deepEqual(
      aiderHistory.discover(env()).map((container) => container.path),
      [file],
    );
    rmSync(join(root, "below"), { recursive: true });
  });

  it("is also where AIDER_CHAT_HISTORY_FILE says", () => {
    const other = join(root, "chat.md");
    writeFileSync(other, HISTORY);
    const paths = (vars: Record<string, string>): string[] => aiderHistory.discover(env(vars)).map(({ path }) => path);
    assert.deepEqual(paths({ AIDER_CHAT_HISTORY_FILE: other }), [file, other]);
    assert.deepEqual(paths({ AIDER_CHAT_HISTORY_FILE: "chat.md" }), [file, other]);
    assert.deepEqual(paths({ AIDER_CHAT_HISTORY_FILE: "missing.md" }), [file]);
    assert.ok(aiderHistory.places(env()).some((place) => place.path === file));
    rmSync(other);
  });

  it("is nowhere without roots", () => {
    assert.deepEqual(aiderHistory.discover(testEnv("/home/nobody")), []);
  });
});

describe("a run of Aider", () => {
  it("is a conversation, unless it has no messages", () => {
    assert.deepEqual(
      [...readWhole().keys()],
      [
        idOf("# aider chat started at 2026-03-02 09:15:00"),
        idOf("# aider chat started at 2026-03-03 18:00:00"),
        `${idOf("# aider chat started at 2026-03-03 18:00:00")}-2`,
      ],
    );
  });

  it("has the folder, the local start, the model and its first prompt", () => {
    const { meta } = run("2026-03-03 18:00:00");
    assert.equal(meta.project, root);
    assert.equal(meta.created, new Date(2026, 2, 3, 18, 0, 0).toISOString());
    assert.equal(meta.model, "acme/other");
    assert.equal(meta.title, "and the tests?");
    assert.equal(meta.source, "aider");
  });

  it("keeps the speakers in order", () => {
    assert.deepEqual(brief(run("2026-03-02 09:15:00").messages), [
      "user: text",
      "tool: tool_result",
      "user: text",
      "assistant: thinking+text+tool_call",
      "tool: tool_result",
      "user: text",
      "tool: tool_result",
    ]);
  });

  it("joins the lines of a prompt, code in it included", () => {
    const prompt = run("2026-03-02 09:15:00").messages[2];
    assert.deepEqual(prompt?.parts, [
      { type: "text", text: "Make list_notes return\n\n- newest first\n```python\n#### not a heading\n```" },
    ]);
  });

  it("leaves headings, quotations and code in the answer", () => {
    const answer = run("2026-03-02 09:15:00").messages[3];
    assert.equal(answer?.model, "openrouter/acme/coder-2");
    const [thought, text] = answer?.parts ?? [];
    assert.deepEqual(thought, { type: "thinking", text: "Sort by created, descending." });
    assert.ok(text?.type === "text");
    for (const line of [
      "#### A heading of the answer",
      "> a quotation in the answer",
      "#### a comment in code",
      "> a quotation in code",
    ])
      assert.ok(text.text.includes(line), line);
  });

  it("names the edited files and the commit", () => {
    const [answer, done] = run("2026-03-02 09:15:00").messages.slice(3, 5);
    assert.deepEqual(answer?.parts.at(-1), {
      type: "tool_call",
      name: "edit",
      input: { files: ["src/notes.py"] },
      files: ["src/notes.py"],
    });
    assert.deepEqual(done?.parts, [
      {
        type: "tool_result",
        name: "edit",
        output: "Applied edit to src/notes.py\nCommit 85995a7 feat: list notes newest first",
      },
    ]);
  });

  it("leaves out control commands and their output", () => {
    const { messages } = run("2026-03-02 09:15:00");
    const all = JSON.stringify(messages);
    assert.ok(!all.includes("/tokens") && !all.includes("1,337") && !all.includes("Repo-map"));
    assert.deepEqual(messages.at(-2)?.parts, [{ type: "text", text: "/run pytest -q" }]);
    const [printed] = messages.at(-1)?.parts ?? [];
    assert.ok(printed?.type === "tool_result");
    assert.ok(printed.output.includes("second line of the same output"));
    assert.ok(printed.output.includes("Fix the files?"));
  });

  it("continues with the next prompt when an answer was cut off inside code", () => {
    const { messages } = run("2026-03-03 18:00:00");
    assert.deepEqual(brief(messages), ["user: text", "assistant: text", "user: text", "assistant: text"]);
    assert.deepEqual(messages[2]?.parts, [{ type: "text", text: "go on" }]);
  });

  it("is read from the prefixes alone when an editor stripped the lines", () => {
    const stripped = HISTORY.replace(/ +$/gm, "");
    const { messages } = run(
      "2026-03-03 18:00:00",
      readWhole(stripped.replace("# the answer broke off here", "x\n```")),
    );
    assert.deepEqual(brief(messages), ["user: text", "assistant: text", "user: text", "assistant: text"]);
    const fenced = [
      "# aider chat started at 2026-04-01 10:00:00",
      "",
      "#### hi",
      "",
      "```",
      "#### no prompt",
      "> no print",
      "```",
      "",
    ];
    const found = run("2026-04-01 10:00:00", readWhole(fenced.join("\n")));
    assert.deepEqual(brief(found.messages), ["user: text", "assistant: text"]);
  });

  it("may have lost its first line", () => {
    const headless = readWhole("#### only this  \n\nYes.\n");
    assert.deepEqual([...headless.keys()], [idOf("")]);
    assert.equal(headless.get(idOf(""))?.meta.created, undefined);
  });
});

describe("a history that grows", () => {
  const read = (sink: CollectingSink, states: Map<string, Json | undefined>): void => {
    readAll(aiderHistory, env(), sink, states);
  };

  it("gives the same conversations as when read whole, wherever it was cut", () => {
    const whole = [...readWhole()];
    const bytes = Buffer.from(HISTORY);
    const cuts = new Set<number>([0, bytes.length]);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) cuts.add(at + 1);
    for (let at = 7; at < bytes.length; at += 41) cuts.add(at);
    for (const cut of cuts) {
      const sink = new CollectingSink();
      const states = new Map<string, Json | undefined>();
      put(bytes.subarray(0, cut));
      read(sink, states);
      put(bytes);
      read(sink, states);
      assert.deepEqual([...sink.conversations].sort(), whole.toSorted(), `cut at ${cut}`);
    }
  });

  it("is not read again when unchanged, and only from its last run on when changed", () => {
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    read(sink, states);
    const before = sink.delivered;
    read(sink, states);
    assert.equal(sink.delivered, before);
    appendFileSync(file, "#### one more  \n");
    read(sink, states);
    assert.equal(sink.delivered, before + 3);
    assert.ok(JSON.stringify(states.get(file)).length < 300);
  });

  it("numbers runs of the same second correctly after the clock went back", () => {
    const start = "# aider chat started at 2026-03-02 09:15:00";
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    read(sink, states);
    put(`${HISTORY}\n${start}\n\n#### again  \n`);
    read(sink, states);
    const again = sink.conversations.get(`${idOf(start)}-2`);
    assert.deepEqual(brief(again?.messages ?? []), ["user: text"]);
    assert.equal(sink.conversations.get(idOf(start))?.messages.length, 7);
  });

  it("is read whole when it was rewritten or truncated", () => {
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    read(sink, states);
    const other = "# aider chat started at 2026-05-01 08:00:00\n\n#### new file  \n\nNew.\n";
    for (const content of [other, `${"x".repeat(HISTORY.length)}\n\n${other}`]) {
      put(content);
      const fresh = new CollectingSink();
      readAll(aiderHistory, env(), fresh, new Map(states));
      assert.ok(fresh.conversations.has(idOf("# aider chat started at 2026-05-01 08:00:00")));
    }
  });

  it("survives any damage", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const states: (Json | undefined)[] = [undefined, null, 5, "x", [], { offset: -1, tie: 1, check: "", latest: "" }];
    states.push({ offset: 1e12, tie: 0.5, check: "x", latest: "y" }, { offset: "1", stamp: 3 });
    for (let round = 0; round < rounds(40, 150); round += 1) {
      const bytes = Buffer.from(HISTORY).subarray(0, random(HISTORY.length + 1));
      for (let flips = random(40); flips > 0 && bytes.length > 0; flips -= 1) bytes[random(bytes.length)] = random(256);
      put(bytes);
      const sink = new CollectingSink();
      readAll(aiderHistory, env(), sink, new Map([[file, states[round % states.length]]]));
      for (const { messages } of sink.conversations.values()) assert.ok(messages.length > 0);
    }
  });

  it("reports a file that disappeared", () => {
    const [container] = aiderHistory.discover(env());
    assert.ok(container);
    rmSync(file);
    const sink = new CollectingSink();
    const request = { container, env: env(), state: undefined, inherited: new Set<string>(), sink };
    assert.equal(aiderHistory.read(request), undefined);
    assert.equal(sink.malformedLines.length, 1);
  });
});
