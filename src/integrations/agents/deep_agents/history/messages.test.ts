/** The messages of a thread: what each has, and which of them a thread has after all writes. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { temporaryFolder } from "../../../../../test/support/repository.ts";
import {
  ai,
  at,
  call,
  human,
  overwrite,
  putThread,
  remove,
  said,
  tool,
} from "../../../../../test/support/sources/langgraph.ts";
import { readAgent } from "../../../../../test/support/sources/read_agent.ts";
import type { CollectingSink } from "../../../../../test/support/sources/sink.ts";

let home: string;

beforeEach(() => {
  home = temporaryFolder();
});

const read = (): Promise<CollectingSink> => readAgent("deep_agents", home);

describe("messages of Deep Agents", () => {
  it("reads everything that a message has, and gives it the time of the checkpoint after it", async () => {
    const usage_metadata = {
      input_tokens: 100,
      output_tokens: 20,
      total_tokens: 120,
      input_token_details: {
        cache_read: 60,
        cache_creation: 0,
        ephemeral_5m_input_tokens: 5,
        ephemeral_1h_input_tokens: 10,
      },
      output_token_details: { reasoning: 4 },
    };
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const answer = ai(
      "m2",
      [
        { type: "thinking", thinking: "first" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "c1", name: "execute", input: {} },
      ],
      {
        tool_calls: [call("c1", "execute", { command: "make" })],
        invalid_tool_calls: [{ id: "c2", name: "write_file", args: '{"path', error: "cut" }],
        response_metadata: { model_name: "acme-1" },
        usage_metadata,
      },
    );
    const output = "no rule\n[Command failed with exit code 2]\n[Output was truncated due to size limits]";
    putThread(home, [
      { at: 0, writes: [[human("m1", [{ type: "text", text: "build it" }, image])]], metadata: { git_branch: "main" } },
      { at: 1, writes: [[answer]] },
      { at: 5, writes: [[tool("m3", "c1", output, { name: "execute", status: "error" })]] },
      { at: 9, writes: [[ai("m4", "Done.", { additional_kwargs: { reasoning_content: "well" } })]] },
      { at: 12 },
    ]);
    const { meta, messages } = (await read()).only();
    assert.deepEqual(meta, {
      id: "t1",
      source: "deep_agents",
      project: "/srv/tides",
      branch: "main",
      model: "acme-1",
      created: at(0),
      updated: at(12),
    });
    const [{ usage: [request] = [] } = {}] = messages.slice(1);
    assert.match(request?.id ?? "", /^[0-9a-f]{16}$/);
    assert.deepEqual(messages, [
      {
        role: "user",
        time: at(1),
        uid: "m1",
        parts: [
          { type: "text", text: "build it" },
          { type: "text", text: "[image]" },
        ],
      },
      {
        role: "assistant",
        time: at(5),
        uid: "m2",
        model: "acme-1",
        parts: [
          { type: "thinking", text: "first" },
          { type: "text", text: "I look." },
          { type: "tool_call", id: "c1", name: "execute", input: { command: "make" } },
          { type: "tool_call", id: "c2", name: "write_file", input: '{"path' },
        ],
        usage: [
          { id: request?.id, input: 25, cache_read: 60, cache_write: 15, cache_write_1h: 10, output: 20, reasoning: 4 },
        ],
      },
      {
        role: "tool",
        time: at(9),
        uid: "m3",
        parts: [{ type: "tool_result", id: "c1", name: "execute", output, is_error: true, exit_code: 2 }],
      },
      {
        role: "assistant",
        time: at(12),
        uid: "m4",
        parts: [
          { type: "thinking", text: "well" },
          { type: "text", text: "Done." },
        ],
      },
    ]);
  });

  it("replaces, deletes and reorders messages as the writes say", async () => {
    putThread(home, [
      { at: 0, writes: [[{ role: "user", content: "one", id: "m1" }]] },
      { at: 1, writes: [[ai("m2", "draft"), ai("m3", "gone")]] },
      { at: 2, writes: [ai("m2", "final"), [remove("m3")]] },
      {
        at: 3,
        writes: [overwrite([human("m1", "one"), ai("m2", "final"), tool("m5", "c", "cancelled"), human("m4", "two")])],
      },
      { at: 4, writes: [[remove("nobody"), ai("m6", "end")]] },
    ]);
    const { messages } = (await read()).only();
    assert.deepEqual(said(messages), [
      "user: one",
      "assistant: final",
      "tool: cancelled",
      "user: two",
      "assistant: end",
    ]);
    assert.deepEqual(
      messages.map(({ time }) => time),
      [at(1), at(2), at(4), at(4), at(4)],
    );
  });

  it("keeps what a summary replaced, before the summary", async () => {
    const summary = human("s1", "They sorted notes.", { additional_kwargs: { lc_source: "summarization" } });
    putThread(home, [
      { at: 0, writes: [[human("m1", "sort"), ai("m2", "Sorted."), human("m3", "print")]] },
      { at: 1, writes: [[remove("__remove_all__"), summary, human("m3", "print")]] },
      { at: 2, writes: [[ai("m4", "Printed.")]] },
    ]);
    const { messages } = (await read()).only();
    assert.deepEqual(said(messages), [
      "user: sort",
      "assistant: Sorted.",
      "system: They sorted notes.",
      "user: print",
      "assistant: Printed.",
    ]);
    assert.equal(messages[2]?.kind, "summary");
    // Everything removed without a summary is deleted.
    putThread(
      home,
      [{ at: 0, writes: [[human("m1", "secret"), remove("__remove_all__"), human("m2", "start over")]] }],
      ".deepagents/sessions.db",
    );
    assert.deepEqual(said((await read()).conversations.get("t1")?.messages ?? []), ["user: start over"]);
  });

  it("reads a summary that is not one of the messages where it was written", async () => {
    const event = {
      cutoff_index: 2,
      file_path: null,
      summary_message: human("s1", "They sorted notes.", { additional_kwargs: { lc_source: "summarization" } }),
    };
    putThread(home, [
      { at: 0, writes: [[human("m1", "sort"), ai("m2", "Sorted.")]] },
      { at: 1, writes: [event], channel: "_summarization_event" },
      { at: 2, writes: [[human("m3", "print")]] },
      {
        at: 3,
        writes: [overwrite([human("m1", "sort"), ai("m2", "Sorted."), human("m3", "print"), ai("m4", "Printed.")])],
      },
    ]);
    assert.deepEqual(said((await read()).only().messages), [
      "user: sort",
      "assistant: Sorted.",
      "system: They sorted notes.",
      "user: print",
      "assistant: Printed.",
    ]);
  });

  it("takes the words that the person typed", async () => {
    const files = "\n\n\n## Referenced Files\n\n\n### notes.md\nPath: `/srv/notes.md`\n```\nlong\n```";
    putThread(home, [
      {
        at: 0,
        writes: [
          [
            human("m1", `read @notes.md${files}`),
            human("m2", "I'm invoking the skill `plan`. Below…", {
              additional_kwargs: { __skill: { name: "plan", args: "a trip" } },
            }),
            human("m3", "[SYSTEM] Task interrupted by user."),
            human("m4", "Goal…", { additional_kwargs: { lc_source: "goal_state" } }),
          ],
        ],
      },
    ]);
    assert.deepEqual(said((await read()).only().messages), [
      "user: read @notes.md",
      "user: /skill:plan a trip",
      "system: [SYSTEM] Task interrupted by user.",
      "system: Goal…",
    ]);
  });
});
