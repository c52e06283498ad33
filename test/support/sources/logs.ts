/** Agents that write a line for each record. */
import { join } from "node:path";
import { chat, input, json, ms, putJson, putLines, seconds, type Writer } from "./forms.ts";

export const LOG_WRITERS: Readonly<Record<string, Writer>> = {
  qwen_code(home, f) {
    const common = { sessionId: f.id, cwd: f.project, gitBranch: f.branch, timestamp: f.time };
    putLines(join(home, ".qwen/projects/-srv/chats", `${f.id}.jsonl`), [
      { ...common, uuid: "1", parentUuid: null, type: "user", message: { role: "user", parts: [{ text: f.prompt }] } },
      {
        ...common,
        uuid: "2",
        parentUuid: "1",
        type: "assistant",
        model: f.model,
        message: {
          role: "model",
          parts: [
            { text: f.thinking, thought: true },
            { text: f.answer },
            { functionCall: { id: f.call, name: f.tool, args: input(f) } },
          ],
        },
      },
      {
        ...common,
        uuid: "3",
        parentUuid: "2",
        type: "tool_result",
        message: {
          role: "user",
          parts: [{ functionResponse: { id: f.call, name: f.tool, response: { output: f.output } } }],
        },
      },
      {
        ...common,
        uuid: "4",
        parentUuid: "3",
        type: "system",
        subtype: "custom_title",
        systemPayload: { customTitle: f.title },
      },
    ]);
  },
  mistral_vibe(home, f) {
    const folder = join(home, ".vibe/logs/session/session_20260101_100000_1");
    putLines(join(folder, "messages.jsonl"), chat(f));
    putJson(join(folder, "meta.json"), {
      session_id: f.id,
      title: f.title,
      start_time: f.time,
      git_branch: f.branch,
      environment: { working_directory: f.project },
      config: { active_model: f.model },
    });
  },
  kimi(home, f) {
    const folder = join(home, ".kimi-code/sessions/wd_p_1", f.id);
    const event = (fields: object): object => ({ type: "context.append_loop_event", event: fields, time: ms(f) });
    putJson(join(folder, "state.json"), { title: f.title, workDir: f.project, createdAt: f.time });
    putLines(join(folder, "agents/main/wire.jsonl"), [
      { type: "metadata", protocol_version: "1.4", created_at: ms(f) },
      { type: "config.update", modelAlias: f.model, time: ms(f) },
      { type: "turn.prompt", input: [{ type: "text", text: f.prompt }], time: ms(f) },
      {
        type: "context.append_message",
        message: { role: "user", content: [{ type: "text", text: f.prompt }], origin: { kind: "user" } },
        time: ms(f),
      },
      event({ type: "step.begin", uuid: f.uid }),
      event({ type: "content.part", stepUuid: f.uid, part: { type: "think", think: f.thinking } }),
      event({ type: "content.part", stepUuid: f.uid, part: { type: "text", text: f.answer } }),
      event({ type: "tool.call", stepUuid: f.uid, toolCallId: f.call, name: f.tool, args: input(f) }),
      event({ type: "tool.result", toolCallId: f.call, result: { output: f.output } }),
    ]);
  },
  junie(home, f) {
    const block = (fields: object): object => ({
      kind: "SessionA2uxEvent",
      timestampMs: ms(f),
      event: { agentEvent: fields },
    });
    putLines(join(home, ".junie/sessions/index.jsonl"), [
      { sessionId: f.id, createdAt: ms(f), projectDir: f.project, taskName: f.title },
    ]);
    putLines(join(home, ".junie/sessions", f.id, "events.jsonl"), [
      { kind: "UserPromptEvent", prompt: f.prompt, timestampMs: ms(f) },
      block({ kind: "LlmResponseMetadataEvent", modelUsage: [{ model: f.model }] }),
      block({ kind: "AgentThoughtBlockUpdatedEvent", stepId: "1", text: f.thinking }),
      block({ kind: "ToolBlockUpdatedEvent", stepId: "2", label: f.tool, details: f.output, input: input(f) }),
      block({ kind: "ResultBlockUpdatedEvent", stepId: "3", result: "soon" }),
      block({ kind: "ResultBlockUpdatedEvent", stepId: "3", result: f.answer }),
    ]);
  },
  grok_build(home, f) {
    const folder = join(home, ".grok/sessions", encodeURIComponent(f.project), f.id);
    const update = (fields: object): object => ({
      timestamp: seconds(f),
      method: "session/update",
      params: { sessionId: f.id, update: fields, _meta: { promptId: "p1" } },
    });
    putJson(join(folder, "summary.json"), {
      info: { id: f.id, cwd: f.project },
      generated_title: f.title,
      current_model_id: f.model,
      head_branch: f.branch,
      created_at: f.time,
    });
    const half = Math.floor(f.answer.length / 2);
    putLines(join(folder, "updates.jsonl"), [
      update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: f.prompt } }),
      update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: f.thinking } }),
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: f.answer.slice(0, half) } }),
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: f.answer.slice(half) } }),
      update({ sessionUpdate: "tool_call", toolCallId: f.call, title: f.tool, rawInput: input(f) }),
      update({ sessionUpdate: "tool_call_update", toolCallId: f.call, status: "completed", rawOutput: f.output }),
    ]);
  },
  codebuddy(home, f) {
    const common = { timestamp: ms(f), cwd: f.project, providerData: { model: f.model } };
    putLines(join(home, ".codebuddy/projects/srv", `${f.id}.jsonl`), [
      { ...common, id: "1", type: "message", role: "user", content: [{ type: "input_text", text: f.prompt }] },
      { ...common, id: "2", type: "reasoning", rawContent: [{ type: "text", text: f.thinking }] },
      { ...common, id: "3", type: "message", role: "assistant", content: [{ type: "output_text", text: f.answer }] },
      { ...common, id: "4", type: "function_call", callId: f.call, name: f.tool, arguments: json(input(f)) },
      {
        ...common,
        id: "5",
        type: "function_call_result",
        callId: f.call,
        name: f.tool,
        output: { type: "text", text: f.output },
      },
      { ...common, type: "ai-title", aiTitle: f.title },
    ]);
  },
  zencoder(home, f) {
    putLines(join(home, ".zencoder/sessions", `${f.id}.jsonl`), [
      { id: f.id, creationReason: "newChat", createdAt: f.time },
      { role: "system", createdAt: f.time, content: `Working directory: ${f.project}\nBe brief.` },
      { role: "user", createdAt: f.time, content: [{ type: "text", text: f.prompt }] },
      {
        role: "assistant",
        createdAt: f.time,
        content: [
          { type: "reasoning", text: f.thinking },
          { type: "text", text: f.answer },
          { type: "tool-call", toolCallId: f.call, toolName: f.tool, input: input(f) },
        ],
      },
      {
        role: "tool",
        createdAt: f.time,
        content: [{ type: "tool-result", toolCallId: f.call, content: [{ type: "text", text: f.output }] }],
      },
    ]);
  },
  gptme(home, f) {
    putLines(join(home, ".local/share/gptme/logs", f.id, "conversation.jsonl"), [
      { role: "system", content: "You are helpful.", timestamp: f.time, pinned: true },
      { role: "user", content: f.prompt, timestamp: f.time },
      {
        role: "assistant",
        content: `${f.thinking} ${f.answer} ${f.tool}`,
        timestamp: f.time,
        metadata: { model: f.model },
      },
      { role: "system", content: f.output, timestamp: f.time },
    ]);
  },
  muse(home, f) {
    const event = (id: string, fields: object): object => ({
      id,
      stream: { kind: "session", id: f.id },
      recorded_at: ms(f) * 1000,
      payload_type: "runtime.session",
      payload: { kind: "run", event: fields },
    });
    putLines(join(home, ".local/share/muse/sessions/2026/01/01", f.id, "session.jsonl"), [
      { stream: { id: f.id }, payload_type: "runtime.session.metadata", payload: { workspace_root: f.project } },
      { stream: { id: f.id }, payload_type: "session.name.changed", payload: { new_name: f.title } },
      event("1", { kind: "started", prompt: f.prompt }),
      {
        record_type: "retained_frame",
        children: [
          { record_json: json(event("2", { kind: "assistant_message_committed", text: `${f.thinking} ${f.answer}` })) },
        ],
      },
      event("3", {
        kind: "assistant_tool_calls_committed",
        tool_calls: [{ call_id: f.call, name: f.tool, args: json(input(f)) }],
      }),
      event("4", { kind: "tool_result_batch_committed", results: [{ tool_call_id: f.call, text: f.output }] }),
    ]);
  },
  windsurf(home, f) {
    putLines(join(home, ".windsurf/transcripts", `${f.id}.jsonl`), [
      { status: "done", type: "user_input", user_input: { user_response: f.prompt } },
      { status: "done", type: "planner_response", planner_response: { thinking: f.thinking, response: f.answer } },
      { status: "done", type: f.tool, [f.tool]: { ...input(f), path: `${f.project}/x.ts`, output: f.output } },
    ]);
  },
  kiro(home, f) {
    const line = (kind: string, data: object): object => ({ version: "v1", kind, data });
    putJson(join(home, ".kiro/sessions/cli", `${f.id}.json`), {
      session_id: f.id,
      title: f.title,
      cwd: f.project,
      created_at: f.time,
      session_state: { rts_model_state: { model_info: { model_id: f.model } } },
    });
    putLines(join(home, ".kiro/sessions/cli", `${f.id}.jsonl`), [
      line("Prompt", { message_id: "1", content: [{ kind: "text", data: f.prompt }], meta: { timestamp: seconds(f) } }),
      line("AssistantMessage", { message_id: "2", content: [{ kind: "thinking", data: f.thinking }] }),
      line("AssistantMessage", {
        message_id: "2",
        content: [
          { kind: "text", data: f.answer },
          { kind: "toolUse", data: { toolUseId: f.call, name: f.tool, input: input(f) } },
        ],
      }),
      line("ToolResults", {
        message_id: "3",
        content: [
          {
            kind: "toolResult",
            data: {
              toolUseId: f.call,
              status: "success",
              content: [{ kind: "json", data: { exit_status: "exit status: 0", stdout: f.output, stderr: "" } }],
            },
          },
        ],
      }),
    ]);
  },
  mux(home, f) {
    const folder = join(home, ".mux/sessions", f.id);
    const call = { type: "dynamic-tool", toolCallId: f.call, toolName: f.tool, input: input(f) };
    putJson(join(folder, "metadata.json"), { name: f.title, projectPath: f.project, model: f.model });
    putLines(join(folder, "chat.jsonl"), [
      {
        id: "1",
        role: "user",
        parts: [{ type: "text", text: f.prompt }],
        createdAt: f.time,
        metadata: { historySequence: 0 },
      },
      {
        id: "2",
        role: "assistant",
        createdAt: f.time,
        metadata: { historySequence: 1, model: f.model },
        parts: [
          { type: "reasoning", text: f.thinking },
          { type: "text", text: f.answer },
          { ...call, state: "output-available", output: f.output },
        ],
      },
    ]);
  },
  vscode(home, f) {
    const folder = join(home, ".config/Code/User/workspaceStorage/abc");
    const round = {
      id: "r1",
      response: f.answer,
      thinking: { text: f.thinking },
      toolCalls: [{ id: f.call, name: f.tool, arguments: json(input(f)) }],
      timestamp: ms(f),
    };
    const request = {
      requestId: f.uid,
      timestamp: ms(f),
      modelId: `copilot/${f.model}`,
      message: { text: f.prompt },
      response: [],
    };
    const metadata = {
      toolCallRounds: [round],
      toolCallResults: {
        [f.call]: { content: [{ value: { node: { type: 1, children: [{ type: 2, text: f.output }] } } }] },
      },
    };
    putJson(join(folder, "workspace.json"), { folder: `file://${f.project}` });
    putLines(join(folder, "chatSessions", `${f.id}.jsonl`), [
      { kind: 0, v: { version: 3, sessionId: f.id, creationDate: ms(f), requests: [] } },
      { kind: 2, k: ["requests"], v: [request] },
      { kind: 1, k: ["customTitle"], v: f.title },
      { kind: 1, k: ["requests", 0, "result"], v: { metadata } },
    ]);
  },
};
