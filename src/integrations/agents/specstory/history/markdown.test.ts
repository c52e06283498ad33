import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { CLAUDE, CURSOR, OLDEST, SESSION, SpecstoryProject } from "../../../../../test/support/histories/specstory.ts";
import type { ReadConversation } from "../../../../../test/support/sources/sink.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../../../conversations/model.ts";

let project: SpecstoryProject;
before(() => {
  project = new SpecstoryProject();
});
after(() => project.remove());
beforeEach(() => project.empty());

function only(content: string, name = "2026-03-04_10-00-00Z.md", id = SESSION): ReadConversation {
  const found = project.read({ [name]: content }).get(id);
  assert.ok(found, `no conversation ${id}`);
  return found;
}

const brief = (messages: readonly Message[]): string[] =>
  messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join("+")}`);
const calls = ({ messages }: ReadConversation): ToolCallPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
const results = ({ messages }: ReadConversation): ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_result"));
const texts = ({ messages }: ReadConversation): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : [])));

describe("a session in SpecStory's markdown", () => {
  it("has the session's id, project, time and model", () => {
    const { meta } = only(CLAUDE);
    assert.equal(meta.project, project.root);
    assert.equal(meta.created, "2026-03-04T10:00:00.000Z");
    assert.equal(meta.model, "acme-large-4");
    assert.equal(meta.title, "Why does the export skip archived notes?");
  });

  it("keeps turns, thinking and tools apart", () => {
    assert.deepEqual(brief(only(CLAUDE).messages), [
      "user: text",
      "assistant: thinking",
      "assistant: text",
      "assistant: tool_call",
      "tool: tool_result",
      "assistant: tool_call",
      "tool: tool_result",
      "assistant: tool_call",
      "tool: tool_result",
      "assistant: tool_call",
      "tool: tool_result",
      "assistant: tool_call",
      "tool: tool_result",
      "assistant: tool_call",
      "tool: tool_result",
      "user: text",
      "assistant: text",
    ]);
  });

  it("drops rules between turns and keeps those in what was said", () => {
    assert.deepEqual(texts(only(CLAUDE)), [
      "Why does the export skip archived notes?",
      "I'll look at the query.\n\n---\n\nThat rule is part of what I say.",
      "This is half a block:\n```\nand it never ends",
      "Done.",
    ]);
  });

  it("reads the input of a tool", () => {
    assert.deepEqual(
      calls(only(CLAUDE)).map(({ name, input }) => ({ name, input })),
      [
        { name: "Grep", input: { path: "./", pattern: "archived" } },
        { name: "Task", input: { text: "Read the export module" } },
        { name: "Bash", input: { description: "Show an old transcript", command: "cat .specstory/history/old.md" } },
        { name: "Write", input: { content: "# Plan\n\n```sql\nselect 1\n```" } },
        {
          name: "AskUserQuestion",
          input: { text: "**Include archived notes?**\n\nOptions:\n- **Yes** - as a flag\n- **No**" },
        },
        { name: "ToolSearch", input: { text: "**Input:**\n\n- query: `select:Plan`" } },
      ],
    );
    assert.deepEqual(calls(only(CLAUDE))[3]?.files, ["/home/sam/notes-api/plan.md"]);
  });

  it("reads the result of a tool, failures too", () => {
    const [grep, task, bash, write, ask, search] = results(only(CLAUDE));
    assert.deepEqual(grep, { type: "tool_result", name: "Grep", output: "src/export.ts" });
    assert.equal(task?.output, "It filters on archived = 0.");
    assert.equal(bash?.exit_code, 1);
    assert.equal(bash?.is_error, true);
    assert.equal(write?.output, "File created successfully at: /home/sam/notes-api/plan.md");
    assert.equal(ask?.output, "Yes, behind --all");
    assert.deepEqual(search, { type: "tool_result", name: "ToolSearch", output: "no such tool", is_error: true });
  });

  it("treats a transcript that a tool printed as output, not as turns", () => {
    const { messages } = only(CLAUDE);
    assert.ok(!messages.some(({ time }) => time?.startsWith("2025")));
    assert.ok(results(only(CLAUDE))[2]?.output.includes("a prompt of another session"));
  });

  it("puts the turns of subagents into a child conversation", () => {
    const all = project.read({ "2026-03-04_10-00-00Z.md": CLAUDE });
    const side = all.get(`sidechain-${SESSION}`);
    assert.ok(side);
    assert.equal(side.meta.parent, SESSION);
    assert.equal(side.meta.parent_kind, "subagent");
    assert.equal(side.meta.title, "Read src/export.ts and say what it filters.");
    assert.deepEqual(brief(side.messages), ["user: text", "assistant: tool_call", "tool: tool_result"]);
    assert.deepEqual(calls(side)[0]?.input, { file_path: "./src/export.ts" });
    assert.equal(side.messages[1]?.model, "acme-small-1");
  });

  it("takes the title from the heading, then from the words of the name", () => {
    const title = (heading: string, name: string): string | undefined => {
      project.empty();
      return only(CLAUDE.replace("# 2026-03-04 10:00:00Z", `# ${heading}`), `2026-03-04_10-00-00Z-${name}.md`).meta
        .title;
    };
    const asked = "Why does the export skip archived notes?";
    assert.equal(title("Archived notes (2026-03-04 10:00Z)", "fix-the-export"), "Archived notes");
    assert.equal(title("2026-03-04 10:00:00Z", "fix-the-export"), "fix the export");
    assert.equal(title("2026-03-04 10:00:00Z", "why-does-the-export"), asked);
    assert.equal(title("Untitled", "command-name-model"), asked);
  });

  it("is not opened when only control commands were typed", () => {
    const quiet = CLAUDE.slice(0, CLAUDE.indexOf("_**User (2026-03-04 10:00:01Z)**_"));
    assert.equal(project.read({ "2026-03-04_10-00-00Z.md": quiet }).size, 0);
    assert.equal(project.read({ "README.md": "# Notes\n\nNot a transcript.\n" }).size, 0);
  });

  it("keeps ids, summaries and the text before the first turn", () => {
    const more = CLAUDE.replace(
      "_**User (2026-03-04 10:00:01Z)**_\n",
      "Exported by hand.\n\n$&<!-- message-id: m-1 -->\n",
    )
      .replace("Exported by hand.\n\n", "")
      .replace("_**User (2026-03-04 10:00:00Z)**_", "Exported by hand.\n\n$&");
    const { messages } = only(
      `${more}\n_**User (2026-03-04 11:00:00Z)**_\n\nThis session is being continued from a previous conversation that ran out of context.\n`,
    );
    assert.deepEqual(messages[0], { role: "system", parts: [{ type: "text", text: "Exported by hand." }] });
    assert.equal(messages[1]?.uid, "m-1");
    assert.equal(messages.at(-1)?.role, "system");
    assert.equal(messages.at(-1)?.kind, "summary");
  });
});

describe("older files", () => {
  it("of Cursor's extension: sections, escapes, named and unnamed tools", () => {
    const found = only(CURSOR, "2025-12-02_12-49Z-drop.md", "22222222-2222-4333-8444-555555555555");
    assert.equal(found.meta.title, "Drop the old client");
    assert.equal(found.meta.model, "acme-4.5-thinking");
    assert.equal(found.messages[0]?.time, "2025-12-02T12:49:00.000Z");
    assert.deepEqual(
      calls(found).map(({ name, input }) => ({ name, input })),
      [
        { name: "grep", input: { summary: 'Grep for "OldClient" • 2 matches' } },
        {
          name: "search_replace",
          input: { file_path: "src/client.ts", text: "**Chunk 1**\n\n```diff\n- a && `b`\n```" },
        },
        { name: "run_terminal_cmd", input: { command: "npm test" } },
        { name: "read_file", input: { file_path: "src/index.ts" } },
        { name: "list_dir", input: { summary: "Listed directory src • **1** results" } },
      ],
    );
    assert.deepEqual(
      results(found).map(({ output }) => output.split("\n").at(-1)),
      ["| `src/client.ts` |", "4 passed", "| `client.ts` |"],
    );
    assert.deepEqual(texts(found), [
      "remove the old client",
      "Let me edit it.",
      "<details><summary>My own details</summary>\nkept as text\n</details>\n\nGone.",
    ]);
  });

  it("of the first version: no session, no times, turns without a name", () => {
    const found = only(OLDEST, "full-screen-page.md", "full-screen-page");
    assert.equal(found.meta.title, "Full Screen Page");
    assert.deepEqual(brief(found.messages), ["user: text", "assistant: text", "assistant: text"]);
    assert.deepEqual(texts(found), ["make it full screen", "I'll read the style sheet.", "Now the page."]);
  });
});
