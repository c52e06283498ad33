/** Tokens and costs as each agent records them: for a request or a session, with the cache in the input or beside it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { json, putDatabase, putJson, putLines } from "../../test/support/sources/forms.ts";
import { readAgent } from "../../test/support/sources/read_agent.ts";
import type { ReadConversation } from "../../test/support/sources/sink.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dex-tokens-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...path: string[]): string => join(home, ...path);

async function conversations(id: string): Promise<ReadConversation[]> {
  return [...(await readAgent(id, home)).conversations.values()];
}

/** The recorded usage of each message that has any, by the message's position, without the ids of requests. */
async function usageOf(id: string, conversation?: string): Promise<[number, object][]> {
  const all = await conversations(id);
  const read = all.find(({ meta }) => conversation === undefined || meta.id === conversation);
  assert.ok(read, id);
  return read.messages.flatMap(({ usage = [] }, position) =>
    usage.map(({ id: request, ...counts }): [number, object] => {
      assert.match(request ?? "0", /^[0-9a-f]{1,16}$/);
      return [position, counts];
    }),
  );
}

const TIME = "2026-03-02T09:15:00.000Z";
const LATER = "2026-03-02T09:16:00.000Z";
const [START, LATER_MS] = [Date.parse(TIME), Date.parse(LATER)];
const SECONDS = START / 1000;

it("Crush adds the cost of a subagent to its session; its tokens are those of the last request", async () => {
  const session = (id: string, parent: string | null, cost: number): Record<string, unknown> => ({
    id,
    parent_session_id: parent,
    title: id,
    prompt_tokens: 900,
    completion_tokens: 90,
    cost,
    created_at: SECONDS,
    updated_at: SECONDS,
  });
  const message = (session_id: string, role: string, text: string): Record<string, unknown> => ({
    id: `${session_id}${role}`,
    session_id,
    role,
    parts: json([{ type: "text", data: { text } }]),
    model: "acme-1",
    created_at: SECONDS,
    updated_at: SECONDS,
  });
  putJson(at(".local/share/crush/projects.json"), { projects: [{ path: at("tides") }] });
  putDatabase(at("tides/.crush/crush.db"), {
    sessions: [session("s", null, 0.5), session("child", "s", 0.125), session("title-s", "s", 0.25)],
    messages: [
      message("s", "user", "draw"),
      message("s", "assistant", "Drawn."),
      message("child", "assistant", "Found."),
    ],
  });
  assert.deepEqual(await usageOf("crush", "s"), [[1, { cost: 0.375, requests: 1 }]]);
  assert.deepEqual(await usageOf("crush", "child"), [[0, { cost: 0.125, requests: 1 }]]);
});

it("Hermes sums a session, with the cache beside the input", async () => {
  putDatabase(at(".hermes/state.db"), {
    sessions: [
      {
        id: "s",
        source: "cli",
        model: "acme-1",
        input_tokens: 40,
        output_tokens: 25,
        cache_read_tokens: 900,
        cache_write_tokens: 70,
        reasoning_tokens: 5,
        estimated_cost_usd: 0.02,
        actual_cost_usd: null,
      },
    ],
    messages: [
      { id: 1, session_id: "s", role: "user", content: "draw", timestamp: SECONDS },
      { id: 2, session_id: "s", role: "assistant", content: "I draw.", timestamp: SECONDS },
      { id: 3, session_id: "s", role: "assistant", content: "Drawn.", timestamp: SECONDS },
    ],
  });
  assert.deepEqual(await usageOf("hermes"), [
    [
      2,
      {
        input: 40,
        cache_read: 900,
        cache_write: 70,
        output: 25,
        reasoning: 5,
        cost: 0.02,
        requests: 2,
        model: "acme-1",
      },
    ],
  ]);
});

it("Junie names the tokens of each response; its cost has no unit", async () => {
  const event = (timestampMs: number, agentEvent: object): object => ({
    kind: "SessionA2uxEvent",
    timestampMs,
    event: { agentEvent },
  });
  const response = (...modelUsage: object[]): object => ({ kind: "LlmResponseMetadataEvent", modelUsage });
  const one = { model: "acme-1", cost: 3, inputTokens: 3, cacheInputTokens: 90, cacheCreateTokens: 7, outputTokens: 5 };
  putLines(at(".junie/sessions/s/events.jsonl"), [
    { kind: "UserPromptEvent", prompt: "draw" },
    event(START, response(one, { model: "acme-2", inputTokens: 1, outputTokens: 1 })),
    event(START, { kind: "ResultBlockUpdatedEvent", stepId: "1", result: "Drawn." }),
    event(LATER_MS, response({ ...one, outputTokens: 6 })),
    event(LATER_MS, response()),
  ]);
  const first = { time: TIME, model: "acme-1", input: 3, cache_read: 90, cache_write: 7 };
  assert.deepEqual(await usageOf("junie"), [
    [0, { ...first, output: 5 }],
    [0, { time: TIME, model: "acme-2", input: 1, output: 1 }],
    [1, { ...first, time: LATER, output: 6 }],
  ]);
});

it("Grok Build sums each turn by model, with the cache in the input and the cost in ticks", async () => {
  const update = (eventId: string, value: object): object => ({
    timestamp: SECONDS,
    method: "session/update",
    params: { update: value, _meta: { eventId, promptId: "p" } },
  });
  const said = (sessionUpdate: string, text: string): object => ({ sessionUpdate, content: { type: "text", text } });
  const counts = {
    inputTokens: 1000,
    cachedReadTokens: 800,
    cacheCreationTokens: 50,
    outputTokens: 60,
    reasoningTokens: 20,
    modelCalls: 3,
    costUsdTicks: 25e8,
  };
  const turn = { sessionUpdate: "turn_completed", stop_reason: "end_turn" };
  putLines(at(".grok/sessions/%2Fsrv/s/updates.jsonl"), [
    update("1", said("user_message_chunk", "draw")),
    update("2", said("agent_message_chunk", "Drawn.")),
    update("3", { ...turn, usage: { ...counts, modelUsage: { "acme-1": counts } } }),
    update("4", { ...turn, usage: null }),
    update("5", { ...turn, usage: { inputTokens: 10, outputTokens: 2, costUsdTicks: 1e10, costIsPartial: true } }),
  ]);
  const sums = { time: TIME, input: 150, cache_read: 800, cache_write: 50, output: 60, reasoning: 20 };
  assert.deepEqual(await usageOf("grok_build"), [
    [1, { ...sums, model: "acme-1", requests: 3, cost: 0.25 }],
    [1, { time: TIME, input: 10, cache_write: 0, output: 2 }],
  ]);
});

it("ForgeCode marks the numbers that it counted, and the others are estimates", async () => {
  const usage = (kind: string): object => ({
    prompt_tokens: { [kind]: 100 },
    completion_tokens: { [kind]: 20 },
    cached_tokens: { [kind]: 60 },
    cost: kind === "actual" ? 0.01 : null,
  });
  const answer = (content: string): object => ({ text: { role: "Assistant", content, model: "acme-1" } });
  const messages = [
    { message: { text: { role: "User", content: "draw" } } },
    { message: answer("I draw."), usage: usage("actual") },
    { message: answer("Still."), usage: usage("Actual") },
    { message: answer("Drawn."), usage: usage("approx") },
  ];
  const row = { conversation_id: "s", title: "", created_at: TIME, updated_at: TIME, context: json({ messages }) };
  putDatabase(at(".forge/.forge.db"), { conversations: [row] });
  const counts = { input: 40, cache_read: 60, output: 20 };
  assert.deepEqual(await usageOf("forgecode"), [
    [1, { ...counts, cost: 0.01 }],
    [2, counts],
  ]);
});

it("Continue copies the numbers of the provider", async () => {
  const session = (id: string, chatModelTitle: string, cacheWriteTokens: number): void =>
    putJson(at(`.continue/sessions/${id}.json`), {
      sessionId: id,
      chatModelTitle,
      history: [{ message: { role: "user", content: "draw" } }, { message: { role: "assistant", content: "Drawn." } }],
      usage: {
        promptTokens: 100,
        completionTokens: 20,
        promptTokensDetails: { cachedTokens: 60, cacheWriteTokens },
        totalCost: 0.5,
      },
    });
  session("a", "Claude Opus", 0);
  session("b", "acme-1", 0);
  session("c", "acme-1", 5);
  const sum = { cache_read: 60, output: 20, cost: 0.5, requests: 1 };
  assert.deepEqual(await usageOf("continue", "a"), [[1, { ...sum, model: "Claude Opus", input: 100, cache_write: 0 }]]);
  assert.deepEqual(await usageOf("continue", "b"), [[1, { ...sum, model: "acme-1", input: 40, cache_write: 0 }]]);
  assert.deepEqual(await usageOf("continue", "c"), [[1, { ...sum, model: "acme-1", input: 100, cache_write: 5 }]]);
});

it("OpenHands sums each model, and the summaries apart", async () => {
  const metrics = (model_name: string, accumulated_cost: number, calls: number): object => ({
    model_name,
    accumulated_cost,
    accumulated_token_usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      cache_read_tokens: 60,
      cache_write_tokens: 10,
      reasoning_tokens: 4,
    },
    token_usages: Array.from({ length: calls }, () => ({})),
  });
  const folder = at(".openhands/conversations/s");
  putJson(join(folder, "base_state.json"), {
    id: "s",
    stats: { usage_to_metrics: { agent: metrics("acme-1", 0.25, 4), condenser: metrics("acme-2", 0, 0) } },
  });
  const event = { kind: "MessageEvent", source: "user", llm_message: { role: "user", content: "draw" } };
  putJson(join(folder, "events/event-00000-a.json"), { ...event, id: "1", timestamp: TIME });
  const counts = { input: 30, cache_read: 60, cache_write: 10, output: 20, reasoning: 4 };
  assert.deepEqual(await usageOf("openhands"), [
    [0, { ...counts, model: "acme-1", cost: 0.25, requests: 4 }],
    [0, { ...counts, model: "acme-2", cost: 0, requests: 1 }],
  ]);
});

it("goose keeps a ledger of requests, and before it the sums of the session", async () => {
  const session = (id: string): Record<string, unknown> => ({
    id,
    name: id,
    updated_at: "2026-03-02 09:20:00",
    accumulated_input_tokens: 5000,
    accumulated_output_tokens: 70,
    accumulated_cache_read_tokens: 4000,
    accumulated_cache_write_tokens: 0,
    accumulated_cost: 0.75,
  });
  const message = (session_id: string, id: number, role: string, created_timestamp: number): object => ({
    id,
    session_id,
    role,
    created_timestamp,
    content_json: json([{ type: "text", text: "said" }]),
  });
  const entry = (id: number, created_timestamp: number, cost: number | null): Record<string, unknown> => ({
    id,
    session_id: "new",
    created_timestamp,
    model: "acme-1",
    input_tokens: 100,
    output_tokens: 20,
    cache_read_tokens: 60,
    cache_write_tokens: 10,
    cost,
  });
  putDatabase(at(".local/share/goose/sessions/sessions.db"), {
    sessions: [session("new"), session("old")],
    messages: [
      message("new", 1, "user", SECONDS),
      message("new", 2, "assistant", SECONDS + 30),
      message("new", 3, "assistant", SECONDS + 90),
      message("old", 4, "user", SECONDS),
      message("old", 5, "assistant", SECONDS),
    ] as Record<string, unknown>[],
    usage_ledger: [entry(1, SECONDS + 30, 0.25), entry(2, SECONDS + 60, null)],
  });
  const counts = { model: "acme-1", input: 30, cache_read: 60, cache_write: 10, output: 20 };
  assert.deepEqual(await usageOf("goose", "new"), [
    [1, { ...counts, time: "2026-03-02T09:15:30.000Z", cost: 0.25 }],
    [1, { ...counts, time: LATER }],
  ]);
  const sums = { input: 1000, cache_read: 4000, cache_write: 0, output: 70, cost: 0.75, requests: 1 };
  assert.deepEqual(await usageOf("goose", "old"), [[1, sums]]);
});

it("Zed sums a thread", async () => {
  const data = {
    messages: [
      { User: { id: "1", content: [{ Text: "draw" }] } },
      { Agent: { content: [{ Text: "Drawn." }], tool_results: {} } },
    ],
    cumulative_token_usage: { input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 60 },
  };
  putDatabase(at(".local/share/zed/threads/threads.db"), {
    threads: [{ id: "s", summary: "", updated_at: TIME, data_type: "json", data: json(data) }],
  });
  assert.deepEqual(await usageOf("zed"), [[1, { input: 40, cache_read: 60, output: 20, requests: 1 }]]);
});

it("Mistral Vibe sums a session, and one that continues another may have the sum of both", async () => {
  const chat = [
    { role: "user", content: "draw" },
    { role: "assistant", content: "Drawn." },
  ];
  const stats = { session_prompt_tokens: 40, session_completion_tokens: 20, context_tokens: 60 };
  for (const [id, parent] of [
    ["s", null],
    ["t", "s"],
  ]) {
    const folder = at(".vibe/logs/session", `session_${id}`);
    putJson(join(folder, "meta.json"), { session_id: id, parent_session_id: parent, stats });
    putLines(join(folder, "messages.jsonl"), chat);
  }
  assert.deepEqual(await usageOf("mistral_vibe", "s"), [[1, { input: 40, output: 20, requests: 1 }]]);
  assert.deepEqual(await usageOf("mistral_vibe", "t"), []);
});

it("CodeBuddy repeats the numbers of the provider with each record of a request", async () => {
  const rawUsage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } };
  const providerData = { model: "acme-1", messageId: "m", rawUsage };
  putLines(at(".codebuddy/projects/srv/s.jsonl"), [
    { type: "message", role: "user", content: [{ type: "input_text", text: "draw" }] },
    { type: "message", id: "1", role: "assistant", content: [{ type: "output_text", text: "I draw." }], providerData },
    { type: "function_call", id: "2", callId: "c", name: "Bash", arguments: "{}", providerData },
  ]);
  const counts = { model: "acme-1", input: 40, cache_read: 60, output: 20 };
  assert.deepEqual(await usageOf("codebuddy"), [
    [1, counts],
    [2, counts],
  ]);
  const [read] = await conversations("codebuddy");
  const ids = new Set(read?.messages.flatMap(({ usage = [] }) => usage.map(({ id }) => id)));
  assert.equal(ids.size, 1);
});

it("SWE-agent sums a run, and Posit Assistant names the tokens of each answer", async () => {
  const stats = { instance_cost: 0.5, tokens_sent: 4000, tokens_received: 90, api_calls: 3 };
  putJson(at("tides/trajectories/sam/run/i1/i1.traj"), {
    history: [{ role: "user", content: "draw" }],
    trajectory: [{ thought: "Drawn.", action: "", observation: "", response: "Drawn." }],
    info: { model_stats: stats },
  });
  const sink = await readAgent("swe_agent", home, [at("tides")]);
  const { meta, messages } = sink.only();
  assert.deepEqual([meta.id, meta.headless, messages.length], ["run.i1", true, 2]);
  const { id, ...counts } = messages[1]?.usage?.[0] ?? {};
  assert.ok(id);
  assert.deepEqual(counts, { input: 4000, output: 90, cost: 0.5, requests: 3 });

  const folder = at(".posit/assistant/workspaces/a/s");
  const said = (n: number, role: string, content: string, facts: object): object => ({
    id: n,
    message: { role, content, providerOptions: { providerMetadata: { acme: facts } } },
  });
  const usage = { inputTokens: 12, outputTokens: 34, totalTokens: 246, cacheReadTokens: 120, cacheWriteTokens: 80 };
  putJson(join(folder, "conversation.json"), {
    root: { id: "s" },
    messages: [
      { id: "1", parentId: "s", isActive: true, lmMessageIds: [0] },
      { id: "2", parentId: "1", isActive: false, lmMessageIds: [1] },
      { id: "3", parentId: "2", isActive: false, lmMessageIds: [2] },
      { id: "4", parentId: "1", isActive: true, lmMessageIds: [3] },
    ],
  });
  putLines(join(folder, "lm-messages.jsonl"), [
    said(0, "user", "draw", { timestamp: START }),
    said(1, "assistant", "Left.<MESSAGESUMMARY>left</MESSAGESUMMARY>", { modelId: "acme-1" }),
    said(2, "user", "no", {}),
    said(3, "assistant", "Drawn.", { timestamp: LATER_MS, modelId: "acme-1", usage }),
  ]);
  const own = { input: 12, cache_read: 120, cache_write: 80, output: 34 };
  assert.deepEqual(await usageOf("posit_assistant", "s"), [[1, own]]);
  const left = (await conversations("posit_assistant")).find((each) => each.meta.parent_kind === "abandoned");
  assert.deepEqual(left?.meta.id, "s~2");
  assert.deepEqual(
    left.messages.map(({ role, parts }) => [role, ...parts]),
    [
      ["assistant", { type: "text", text: "Left." }],
      ["user", { type: "text", text: "no" }],
    ],
  );
});
