/** Agents that rewrite a document at every turn. */
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { input, json, ms, put, putJson, type Writer } from "./forms.ts";

export const DOCUMENT_WRITERS: Readonly<Record<string, Writer>> = {
  amp(home, f) {
    putJson(join(home, ".local/share/amp/threads", `T-${f.id}.json`), {
      id: f.id,
      title: f.title,
      created: ms(f),
      env: { initial: { trees: [{ uri: `file://${f.project}` }] } },
      messages: [
        { role: "user", messageId: "1", content: [{ type: "text", text: f.prompt }], meta: { sentAt: ms(f) } },
        {
          role: "assistant",
          messageId: "2",
          usage: { model: f.model, timestamp: f.time },
          content: [
            { type: "thinking", thinking: f.thinking },
            { type: "text", text: f.answer },
            { type: "tool_use", id: f.call, name: f.tool, input: input(f) },
          ],
        },
        {
          role: "user",
          messageId: "3",
          content: [
            {
              type: "tool_result",
              toolUseID: f.call,
              run: { status: "done", result: { output: f.output, exitCode: 0 } },
            },
          ],
        },
      ],
    });
  },
  continue(home, f) {
    const toolCall = { id: f.call, function: { name: f.tool, arguments: json(input(f)) } };
    const folder = join(home, ".continue/sessions");
    putJson(join(folder, "sessions.json"), [{ sessionId: f.id, title: f.title, dateCreated: String(ms(f)) }]);
    putJson(join(folder, `${f.id}.json`), {
      sessionId: f.id,
      title: f.title,
      workspaceDirectory: f.project,
      chatModelTitle: f.model,
      history: [
        { message: { role: "user", content: f.prompt } },
        {
          message: { role: "assistant", content: f.answer, toolCalls: [toolCall] },
          reasoning: { text: f.thinking },
          toolCallStates: [{ toolCallId: f.call, toolCall, status: "done", output: [{ content: f.output }] }],
        },
        { message: { role: "tool", content: f.output, toolCallId: f.call } },
      ],
    });
  },
  auggie(home, f) {
    putJson(join(home, ".augment/sessions", `${f.id}.json`), {
      sessionId: f.id,
      created: f.time,
      workspaceRoot: f.project,
      chatHistory: [
        {
          exchange: {
            request_id: "r1",
            request_message: f.prompt,
            model_id: f.model,
            response_nodes: [
              { type: 8, thinking: { content: f.thinking } },
              { type: 0, content: f.answer },
              { type: 5, tool_use: { tool_use_id: f.call, tool_name: f.tool, input_json: json(input(f)) } },
            ],
          },
          finishedAt: f.time,
        },
        {
          exchange: {
            request_id: "r2",
            request_message: "",
            request_nodes: [{ type: 1, tool_result_node: { tool_use_id: f.call, content: f.output } }],
          },
          finishedAt: f.time,
        },
      ],
    });
  },
  openhands(home, f) {
    const folder = join(home, ".openhands/conversations", f.id);
    putJson(join(folder, "base_state.json"), {
      id: f.id,
      title: f.title,
      agent: { llm: { model: f.model } },
      workspace: { working_dir: f.project },
    });
    const events = [
      {
        kind: "MessageEvent",
        id: "1",
        source: "user",
        timestamp: f.time,
        llm_message: { role: "user", content: [{ type: "text", text: f.prompt }] },
      },
      {
        kind: "ActionEvent",
        id: "2",
        timestamp: f.time,
        llm_response_id: "r1",
        reasoning_content: f.thinking,
        thought: [{ type: "text", text: f.answer }],
        action: { kind: "ExecuteBashAction", ...input(f) },
        tool_name: f.tool,
        tool_call_id: f.call,
      },
      {
        kind: "ObservationEvent",
        id: "3",
        timestamp: f.time,
        tool_name: f.tool,
        tool_call_id: f.call,
        observation: { content: [{ type: "text", text: f.output }], exit_code: 0 },
      },
    ];
    for (const [index, event] of events.entries()) putJson(join(folder, `events/event-0000${index}-x.json`), event);
  },
  posit_assistant(home, f) {
    const workspace = join(home, ".posit/assistant/workspaces/a1");
    const said = (id: number, role: string, content: unknown, facts: object = {}): string => {
      const providerOptions = { providerMetadata: { acme: { timestamp: ms(f), ...facts } } };
      return `${json({ id, message: { role, content, providerOptions } })}\n`;
    };
    putJson(join(workspace, "workspace.json"), { path: f.project });
    putJson(join(workspace, f.id, "conversation.json"), {
      root: { id: f.id, title: f.title, timestamp: ms(f), metadata: { kind: "main", gitBranch: f.branch } },
      messages: [0, 1, 2].map((n) => ({ id: `${f.uid}${n}`, isActive: true, lmMessageIds: [n], timestamp: ms(f) })),
    });
    const answer = [
      { type: "reasoning", text: f.thinking },
      { type: "text", text: f.answer },
      { type: "tool-call", toolCallId: f.call, toolName: f.tool, input: input(f) },
    ];
    const result = { type: "tool-result", toolCallId: f.call, toolName: f.tool };
    put(
      join(workspace, f.id, "lm-messages.jsonl"),
      said(0, "user", f.prompt) +
        said(1, "assistant", answer, { modelId: f.model }) +
        said(2, "tool", [{ ...result, output: { type: "text", value: f.output } }]),
    );
  },
  qwenpaw(home, f) {
    const message = (n: number, role: string, content: object[]): unknown[] => [
      { id: `${f.uid}${n}`, name: role, role, content, timestamp: f.time },
      [],
    ];
    putJson(join(home, ".copaw/workspaces/default/sessions", `${f.id}.json`), {
      agent: {
        memory: {
          content: [
            message(0, "user", [{ type: "text", text: f.prompt }]),
            message(1, "assistant", [
              { type: "thinking", thinking: f.thinking },
              { type: "text", text: f.answer },
              { type: "tool_use", id: f.call, name: f.tool, input: input(f) },
            ]),
            message(2, "system", [
              { type: "tool_result", id: f.call, name: f.tool, output: [{ type: "text", text: f.output }] },
            ]),
          ],
        },
      },
    });
  },
  swe_agent(home, f) {
    putJson(join(home, "crushed/trajectories/sam/run", f.id, `${f.id}.traj`), {
      replay_config: json({ agent: { model: { name: f.model } } }),
      history: [
        { role: "system", content: "be" },
        { role: "user", content: "an example", is_demo: true },
        { role: "user", content: f.prompt },
      ],
      trajectory: [
        {
          thought: `${f.thinking} ${f.answer} ${f.tool}`,
          action: `${f.command} ${f.file}`,
          observation: f.output,
          response: "",
        },
      ],
    });
  },
  rovo_dev(home, f) {
    const folder = join(home, ".rovodev/sessions", f.id);
    putJson(join(folder, "metadata.json"), { title: f.title, workspace_path: f.project, created_at: f.time });
    putJson(join(folder, "session_context.json"), {
      message_history: [
        { kind: "request", parts: [{ part_kind: "user-prompt", content: f.prompt, timestamp: f.time }] },
        {
          kind: "response",
          model_name: f.model,
          timestamp: f.time,
          parts: [
            { part_kind: "thinking", content: f.thinking },
            { part_kind: "text", content: f.answer },
            { part_kind: "tool-call", tool_name: f.tool, tool_call_id: f.call, args: json(input(f)) },
          ],
        },
        {
          kind: "request",
          parts: [{ part_kind: "tool-return", tool_name: f.tool, tool_call_id: f.call, content: f.output }],
        },
      ],
    });
  },
  codebuff(home, f) {
    const folder = join(home, ".config/manicode/projects/srv/chats", f.id);
    putJson(join(folder, "run-state.json"), { cwd: f.project });
    putJson(join(folder, "chat-meta.json"), { title: f.title });
    putJson(join(folder, "chat-messages.json"), [
      { id: "1", variant: "user", content: f.prompt, timestamp: f.time },
      {
        id: "2",
        variant: "ai",
        timestamp: f.time,
        blocks: [
          { type: "text", textType: "reasoning", content: f.thinking },
          { type: "text", content: f.answer },
          { type: "tool", toolCallId: f.call, toolName: f.tool, input: input(f), output: f.output },
        ],
      },
    ]);
  },
  deepseek_harness(home, f) {
    const record = (type: string, data: object, seq: number): object => ({ type, seq, time: ms(f), data });
    const records = [
      { type: "session", id: f.id, createdAt: ms(f), cwd: f.project },
      record(
        "user/message",
        { id: "1", role: "user", source: { kind: "user" }, content: [{ type: "text", text: f.prompt }] },
        0,
      ),
      record(
        "assistant/message",
        {
          message: {
            id: "2",
            source: { kind: "model", model: f.model },
            content: [
              { type: "reasoning", text: f.thinking },
              { type: "text", text: f.answer },
              { type: "tool-call", id: f.call, name: f.tool, arguments: json(input(f)) },
            ],
          },
        },
        1,
      ),
      record(
        "tool/result",
        {
          message: {
            id: "3",
            content: [{ type: "tool-result", toolCallId: f.call, content: [{ type: "text", text: f.output }] }],
          },
        },
        2,
      ),
      record("session/title", { title: f.title }, 3),
    ];
    // Each append is a frame of its own.
    const frames = records.map((each) => zstdCompressSync(`${json(each)}\n`));
    put(join(home, ".dsh/sessions/--srv--", f.id, "session.jsonl.zstd"), Buffer.concat(frames));
  },
  jetbrains_ai(home, f) {
    const escaped = (text: string): string =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const option = (name: string, value: string): string => `<option name="${name}" value="${escaped(value)}" />`;
    const chatMessage = (author: string, text: string): string =>
      `<SerializedChatMessage>${option("author", author)}${option("displayContent", text)}</SerializedChatMessage>`;
    const product = join(home, ".config/JetBrains/IntelliJIdea2026.2");
    put(
      join(product, "options/recentProjects.xml"),
      `<application><entry key="${escaped(f.project)}"><RecentProjectMetaInfo projectWorkspaceId="ws1" /></entry></application>`,
    );
    put(
      join(product, "workspace/ws1.xml"),
      `<project><component name="ChatSessionStateTemp"><SerializedChat>${option("uid", f.id)}${option("title", f.title)}${option(
        "chatModelId",
        f.model,
      )}${option("modifiedAt", String(ms(f)))}<list>${chatMessage("", f.prompt)}${chatMessage(
        "Assistant",
        `${f.thinking} ${f.answer} ${f.tool} ${f.output}`,
      )}</list></SerializedChat></component></project>`,
    );
  },
};
