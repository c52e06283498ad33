/** Agents whose database has serialised values in its columns: the objects of a library, or a list of messages. */
import { join } from "node:path";
import { chat, input, json, putDatabase, type Writer } from "./forms.ts";
import { langchain, THREADS } from "./langgraph.ts";
import { msgpack } from "./msgpack.ts";

export const SERIALIZED_WRITERS: Readonly<Record<string, Writer>> = {
  deep_agents(home, f) {
    const checkpoint_id = "1f0f0f0f-0000-6000-8000-000000000001";
    const key = { thread_id: f.id, checkpoint_ns: "", checkpoint_id };
    const answer = {
      id: `${f.uid}2`,
      content: [
        { type: "thinking", thinking: f.thinking },
        { type: "text", text: f.answer },
      ],
      response_metadata: { model_name: f.model },
      tool_calls: [{ id: f.call, name: f.tool, args: input(f), type: "tool_call" }],
    };
    const said = [
      langchain("HumanMessage", { id: `${f.uid}1`, content: f.prompt }),
      langchain("AIMessage", answer),
      langchain("ToolMessage", { id: `${f.uid}3`, content: f.output, tool_call_id: f.call, status: "success" }),
    ];
    putDatabase(join(home, THREADS), {
      checkpoints: [
        {
          ...key,
          parent_checkpoint_id: null,
          type: "msgpack",
          checkpoint: msgpack({ v: 4, id: checkpoint_id, channel_values: {} }),
          metadata: json({ source: "loop", step: 1, cwd: f.project, git_branch: f.branch, updated_at: f.time }),
        },
      ],
      writes: said.map((each, idx) => ({
        ...key,
        task_id: "task",
        idx,
        channel: "messages",
        type: "msgpack",
        value: msgpack([each]),
      })),
    });
  },
  astrbot(home, f) {
    const [asked, answered, result] = chat(f) as [object, Record<string, unknown>, object];
    const { reasoning_content: think, content: text, ...rest } = answered;
    const content = [
      { type: "think", think, encrypted: null },
      { type: "text", text },
    ];
    const turn = { role: "_checkpoint", content: { id: f.uid } };
    const stamps = { created_at: f.time, updated_at: f.time };
    putDatabase(join(home, ".astrbot/data/data_v4.db"), {
      conversations: [
        {
          inner_conversation_id: 1,
          conversation_id: f.id,
          platform_id: "webchat",
          user_id: "webchat:FriendMessage:webchat!ada!1",
          content: json([asked, { ...rest, content }, result, turn]),
          title: f.title,
          persona_id: "default",
          token_usage: 0,
          ...stamps,
        },
      ],
    });
  },
};
