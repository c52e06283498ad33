/** Agents that keep all conversations in a database. */
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { chat, input, json, message, ms, proto, putDatabase, putJson, seconds, type Writer } from "./forms.ts";

export const DATABASE_WRITERS: Readonly<Record<string, Writer>> = {
  goose(home, f) {
    putDatabase(join(home, ".local/share/goose/sessions/sessions.db"), {
      sessions: [
        {
          id: f.id,
          name: f.title,
          description: "",
          session_type: "user",
          working_dir: f.project,
          created_at: "2026-01-01 10:00:00",
          updated_at: "2026-01-01 10:00:00",
          model_config_json: json({ model_name: f.model }),
        },
      ],
      messages: [
        [{ type: "text", text: f.prompt }],
        [
          { type: "thinking", thinking: f.thinking },
          { type: "text", text: f.answer },
          {
            type: "toolRequest",
            id: f.call,
            toolCall: { status: "success", value: { name: f.tool, arguments: input(f) } },
          },
        ],
        [
          {
            type: "toolResponse",
            id: f.call,
            toolResult: { status: "success", value: [{ type: "text", text: f.output }] },
          },
        ],
      ].map((content, index) => ({
        id: index + 1,
        message_id: `${f.uid}${index}`,
        session_id: f.id,
        role: index === 1 ? "assistant" : "user",
        content_json: json(content),
        created_timestamp: seconds(f),
      })),
    });
  },
  crush(home, f) {
    const project = join(home, "crushed");
    putJson(join(home, ".local/share/crush/projects.json"), {
      projects: [{ path: project, data_dir: join(project, ".crush") }],
    });
    const parts = [
      [{ type: "text", data: { text: f.prompt } }],
      [
        { type: "reasoning", data: { thinking: f.thinking } },
        { type: "text", data: { text: f.answer } },
        { type: "tool_call", data: { id: f.call, name: f.tool, input: json(input(f)) } },
      ],
      [{ type: "tool_result", data: { tool_call_id: f.call, name: f.tool, content: f.output } }],
    ];
    putDatabase(join(project, ".crush/crush.db"), {
      sessions: [{ id: f.id, parent_session_id: null, title: f.title, created_at: seconds(f), updated_at: seconds(f) }],
      messages: parts.map((each, index) => ({
        id: `${f.uid}${index}`,
        session_id: f.id,
        role: ["user", "assistant", "tool"][index],
        parts: json(each),
        model: f.model,
        created_at: seconds(f),
        updated_at: seconds(f),
        is_summary_message: 0,
      })),
    });
  },
  zed(home, f) {
    const thread = {
      version: "0.3.0",
      title: f.title,
      model: { provider: "any", model: f.model },
      messages: [
        { User: { id: f.uid, content: [{ Text: f.prompt }] } },
        {
          Agent: {
            content: [
              { Thinking: { text: f.thinking } },
              { Text: f.answer },
              { ToolUse: { id: f.call, name: f.tool, input: { type: "json", value: input(f) } } },
            ],
            tool_results: {
              [f.call]: { tool_use_id: f.call, tool_name: f.tool, is_error: false, content: { Text: f.output } },
            },
          },
        },
      ],
    };
    putDatabase(join(home, ".local/share/zed/threads/threads.db"), {
      threads: [
        {
          id: f.id,
          summary: f.title,
          updated_at: f.time,
          data_type: "zstd",
          data: zstdCompressSync(json(thread)),
          folder_paths: f.project,
          folder_paths_order: "0",
        },
      ],
    });
  },
  hermes(home, f) {
    putDatabase(join(home, ".hermes/state.db"), {
      sessions: [{ id: f.id, source: "tui", model: f.model, started_at: seconds(f), title: f.title, cwd: f.project }],
      messages: (chat(f) as Record<string, unknown>[]).map((record, index) => ({
        id: index + 1,
        session_id: f.id,
        role: record.role,
        content: record.content,
        tool_call_id: record.tool_call_id ?? null,
        tool_calls: record.tool_calls ? json(record.tool_calls) : null,
        tool_name: record.role === "tool" ? f.tool : null,
        timestamp: seconds(f),
        reasoning: record.reasoning_content ?? null,
        active: 1,
        compacted: 0,
      })),
    });
  },
  devin(home, f) {
    putDatabase(join(home, ".local/share/devin/cli/sessions.db"), {
      sessions: [
        {
          id: f.id,
          title: f.title,
          working_directory: f.project,
          model: f.model,
          created_at: seconds(f),
          last_activity_at: seconds(f),
          hidden: 0,
        },
      ],
      message_nodes: chat(f).map((record, index) => ({
        row_id: index + 1,
        session_id: f.id,
        node_id: index + 1,
        parent_node_id: index === 0 ? null : index,
        chat_message: json(record),
        created_at: seconds(f),
      })),
    });
  },
  forgecode(home, f) {
    const call = { name: f.tool, call_id: f.call, arguments: input(f) };
    const context = {
      messages: [
        { message: { text: { role: "User", content: `<task>${f.prompt}</task>`, raw_content: f.prompt } } },
        {
          message: {
            text: {
              role: "Assistant",
              content: f.answer,
              reasoning_details: [{ text: f.thinking }],
              tool_calls: [call],
              model: f.model,
            },
          },
        },
        {
          message: {
            tool: { name: f.tool, call_id: f.call, output: { is_error: false, values: [{ text: f.output }] } },
          },
        },
      ],
    };
    putDatabase(join(home, ".forge/.forge.db"), {
      conversations: [
        {
          conversation_id: f.id,
          title: f.title,
          workspace_id: 1,
          context: json(context),
          created_at: "2026-01-01 10:00:00",
          updated_at: "2026-01-01 10:00:01",
        },
      ],
    });
  },
  amazon_q(home, f) {
    const use = { message_id: "2", content: f.answer, tool_uses: [{ id: f.call, name: f.tool, args: input(f) }] };
    const results = [{ tool_use_id: f.call, content: [{ Text: f.output }], status: "Success" }];
    putDatabase(join(home, ".local/share/amazon-q/data.sqlite3"), {
      conversations: [
        {
          key: f.project,
          value: json({
            conversation_id: f.id,
            model: f.model,
            history: [
              { user: { content: { Prompt: { prompt: f.prompt } }, timestamp: f.time }, assistant: { ToolUse: use } },
              {
                user: { content: { ToolUseResults: { tool_use_results: results } }, timestamp: f.time },
                assistant: { Response: { message_id: "3", content: f.thinking } },
              },
            ],
          }),
        },
      ],
    });
  },
  lingma(home, f) {
    putDatabase(join(home, ".lingma/vscode/sharedClientCache/cache/db/local.db"), {
      chat_record: [
        {
          session_id: f.id,
          request_id: "1",
          chat_prompt: f.prompt,
          summary: `${f.thinking} ${f.answer} ${f.tool} ${f.output}`,
          error_result: "{}",
          gmt_create: ms(f),
          extra: json({ model: f.model }),
        },
      ],
    });
  },
  warp(home, f) {
    const time = proto(14, message(proto(1, seconds(f)), proto(2, 0)));
    const call = message(proto(1, f.call), proto(2, message(proto(1, f.command))));
    const result = message(proto(1, f.call), proto(2, message(proto(1, f.output))));
    const task = message(
      proto(1, "task"),
      proto(2, f.title),
      proto(5, message(proto(1, "1"), proto(2, message(proto(1, f.prompt))), time)),
      proto(5, message(proto(1, "2"), proto(15, message(proto(1, f.thinking))), time)),
      proto(5, message(proto(1, "3"), proto(3, message(proto(1, `${f.answer} ${f.tool}`))), time)),
      proto(5, message(proto(1, "4"), proto(4, call), time)),
      proto(5, message(proto(1, "5"), proto(5, result), time)),
    );
    const modified = "2026-01-01 10:00:00";
    putDatabase(join(home, ".local/state/warp-terminal/warp.sqlite"), {
      agent_conversations: [{ id: 1, conversation_id: f.id, conversation_data: "{}", last_modified_at: modified }],
      agent_tasks: [{ id: 1, conversation_id: f.id, task_id: "task", task, last_modified_at: modified }],
      ai_queries: [
        {
          id: 1,
          exchange_id: "e1",
          conversation_id: f.id,
          start_ts: modified,
          input: json([{ Query: { text: f.prompt } }]),
          working_directory: f.project,
          model_id: f.model,
        },
      ],
    });
  },
  firebender(home, f) {
    putDatabase(join(home, "crushed/.idea/firebender/chat_history.db"), {
      chat_sessions: [
        {
          id: f.id,
          name: f.title,
          created_at: ms(f),
          updated_at: ms(f),
          deleted_at: null,
          messages_json: json(chat(f)),
        },
      ],
    });
  },
};
