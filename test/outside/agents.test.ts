/**
 * Real and schema-true files of agents, from the shared data next to the checkout. The expected numbers are counted from
 * the raw files with plain string and property access, sharing no code with the readers.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { loadSource } from "../../src/integrations/registry.ts";
import { CollectingSink, readAll, testEnv } from "../support/sink.ts";

const DATA = join(import.meta.dirname, "..", "..", "..", "shared", "data", "agents");
const skip = existsSync(DATA) ? false : "the shared data is not next to the checkout";

/** biome-ignore lint/suspicious/noExplicitAny: raw records, read without any of dex's own code */
type Raw = any;

interface Counts {
  conversations: number;
  prompts: number;
  calls: number;
}

interface Sample {
  agent: string;
  /** From a path in the data to a path in the home. `#` in the second numbers the files of a pattern. */
  files: readonly (readonly [string, string])[];
  /** Counts the raw files of the home. */
  count(home: string): Counts;
}

function records(home: string, pattern: string): Raw[][] {
  const files = globSync(pattern, { cwd: home }).toSorted();
  return files.map((file) =>
    readFileSync(join(home, file), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .flatMap((line) => (line.includes("}{") && !line.startsWith('{"type"') ? [] : [JSON.parse(line)])),
  );
}

function documents(home: string, pattern: string): Raw[] {
  return globSync(pattern, { cwd: home }).map((file) => JSON.parse(readFileSync(join(home, file), "utf8")));
}

function rows(path: string, sql: string): Raw[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const listed = (value: Raw): Raw[] => (Array.isArray(value) ? value : []);

const SAMPLES: readonly Sample[] = [
  {
    agent: "mistral_vibe",
    files: [
      ["mistral-vibe/agentsview", ".vibe/logs/session"],
      ["mistral-vibe/ctx/v1/logs/session", ".vibe/logs/session"],
      ["mistral-vibe/irrlicht/*.jsonl", ".vibe/logs/session/run#/messages.jsonl"],
    ],
    count(home) {
      const logs = records(home, ".vibe/logs/session/*/messages.jsonl").filter((log) => log.length > 0);
      return {
        conversations: logs.length,
        prompts: logs.flat().filter((each) => each.role === "user" && !each.injected).length,
        calls: sum(logs.flat().map((each) => listed(each.tool_calls).length)),
      };
    },
  },
  {
    agent: "kiro",
    files: [
      ["kiro-cli/irrlicht/*.jsonl", ".kiro/sessions/cli/run#.jsonl"],
      ["kiro-cli/ctx/v2/data.sqlite3", ".local/share/kiro-cli/data.sqlite3"],
    ],
    count(home) {
      const logs = records(home, ".kiro/sessions/cli/*.jsonl");
      const stored = rows(join(home, ".local/share/kiro-cli/data.sqlite3"), "SELECT value FROM conversations_v2");
      const turns = stored.flatMap((row) => JSON.parse(row.value).history);
      const uses = logs
        .flat()
        .flatMap((each) => listed(each.data?.content).filter((block) => block.kind === "toolUse"));
      return {
        conversations: logs.length + stored.length,
        prompts:
          logs.flat().filter((each) => each.kind === "Prompt").length +
          turns.filter((turn) => turn.user?.content?.Prompt).length,
        calls: uses.length + sum(turns.map((turn) => listed(turn.assistant?.ToolUse?.tool_uses).length)),
      };
    },
  },
  {
    agent: "kimi",
    files: [
      ["kimi-code/agent-sessions/small.jsonl", ".kimi-code/sessions/wd/s1/agents/main/wire.jsonl"],
      ["kimi-code/agent-sessions/state.json", ".kimi-code/sessions/wd/s1/state.json"],
      ["kimi-code/agent-sessions/subagent_agent-0.jsonl", ".kimi-code/sessions/wd/s1/agents/agent-0/wire.jsonl"],
      ["kimi-code/agent-sessions/assistant_tools.jsonl", ".kimi-code/sessions/wd/s2/agents/main/wire.jsonl"],
    ],
    count(home) {
      const logs = records(home, ".kimi-code/sessions/*/*/agents/*/wire.jsonl");
      const all = logs.flat();
      return {
        conversations: logs.length,
        prompts: all.filter((each) => each.type === "context.append_message" && each.message.origin?.kind === "user")
          .length,
        calls: all.filter((each) => each.event?.type === "tool.call").length,
      };
    },
  },
  {
    agent: "goose",
    files: [["goose/deja/20250724_1.jsonl", ".local/share/goose/sessions/20250724_1.jsonl"]],
    count(home) {
      const [log = []] = records(home, ".local/share/goose/sessions/*.jsonl");
      return { conversations: 1, prompts: log.filter((each) => each.role === "user").length, calls: 0 };
    },
  },
  {
    agent: "crush",
    files: [["crush/ctx/v1/crush.db", "project/.crush/crush.db"]],
    count(home) {
      const path = join(home, "project/.crush/crush.db");
      const messages = rows(path, "SELECT role, parts FROM messages");
      return {
        conversations: rows(path, "SELECT id FROM sessions").length,
        prompts: messages.filter((row) => row.role === "user").length,
        calls: messages.flatMap((row) => JSON.parse(row.parts)).filter((part) => part.type === "tool_call").length,
      };
    },
  },
  {
    agent: "zed",
    files: [["zed/ctx/v1/threads.db", ".local/share/zed/threads/threads.db"]],
    count(home) {
      const threads = rows(join(home, ".local/share/zed/threads/threads.db"), "SELECT data FROM threads").map((row) =>
        JSON.parse(zstdDecompressSync(row.data).toString()),
      );
      const messages = threads.flatMap((thread) => thread.messages);
      return {
        conversations: threads.length,
        prompts: messages.filter((each) => each.User).length,
        calls: messages.flatMap((each) => listed(each.Agent?.content)).filter((block) => block.ToolUse).length,
      };
    },
  },
  {
    agent: "iflow",
    files: [["iflow/agentsview/*.jsonl", ".iflow/projects/x/session-#.jsonl"]],
    count(home) {
      const all = records(home, ".iflow/projects/x/*.jsonl").flat();
      const blocks = all.flatMap((each) => listed(each.message?.content));
      const ids = blocks.filter((block) => block.type === "tool_use").map((block) => block.id);
      const typed = all.filter((each) => each.type === "user" && typeof each.message.content === "string");
      return { conversations: 1, prompts: typed.length, calls: new Set(ids).size };
    },
  },
  {
    agent: "vscode",
    files: [["vscode-copilot/*.json", ".config/Code/User/workspaceStorage/w/chatSessions/chat#.json"]],
    count(home) {
      const chats = documents(home, ".config/Code/User/workspaceStorage/w/chatSessions/*.json");
      const requests = chats.flatMap((chat) => chat.requests);
      const rounds = requests.flatMap((request) => listed(request.result?.metadata?.toolCallRounds));
      const shown = requests.filter((request) => !request.result?.metadata?.toolCallRounds?.length);
      const tools = shown
        .flatMap((request) => listed(request.response))
        .filter((part) => part.kind === "toolInvocationSerialized");
      return {
        conversations: chats.length,
        prompts: requests.length,
        calls: sum(rounds.map((round) => listed(round.toolCalls).length)) + tools.length,
      };
    },
  },
  {
    agent: "mux",
    files: [["mux/ctx/v0.27.0/sessions", ".mux/sessions"]],
    count(home) {
      const logs = records(home, ".mux/sessions/**/chat.jsonl");
      const parts = logs.flat().flatMap((row) => listed(row.parts));
      return {
        conversations: logs.length,
        prompts: logs.flat().filter((row) => row.role === "user").length,
        calls: new Set(parts.filter((part) => part.type === "dynamic-tool").map((part) => part.toolCallId)).size,
      };
    },
  },
  {
    agent: "grok_build",
    files: [
      ["grok-build/agentsview/current", ".grok/sessions"],
      ["grok-build/agentsview/legacy", ".grok/sessions"],
      ["grok-build/agent-sessions/subagent_chat_history.jsonl", ".grok/sessions/x/sub/chat_history.jsonl"],
    ],
    count(home) {
      const logs = records(home, ".grok/sessions/*/*/chat_history.jsonl");
      const own = (each: Raw): boolean =>
        (each.type ?? each.role) === "user" && (!each.synthetic_reason || each.synthetic_reason === "interjection");
      return {
        conversations: logs.length,
        prompts: logs.flat().filter(own).length,
        calls: sum(logs.flat().map((each) => listed(each.tool_calls).length)),
      };
    },
  },
  {
    agent: "deepseek_harness",
    files: [["deepseek-harness/ctx/v0/raw/sessions", ".dsh/sessions"]],
    count(home) {
      const logs = records(home, ".dsh/sessions/*/*/session.jsonl");
      return {
        conversations: logs.length,
        prompts: logs.flat().filter((each) => each.type === "user/message" && each.data.source?.kind === "user").length,
        calls: logs.flat().filter((each) => each.type === "tool/call").length,
      };
    },
  },
  {
    agent: "qoder",
    files: [["qoder/ctx/projects", ".qoder/projects"]],
    count(home) {
      const all = records(home, ".qoder/projects/**/*.jsonl").flat();
      const blocks = all.flatMap((each) => listed(each.message?.content));
      return {
        conversations: 1,
        prompts: all.filter((each) => each.type === "user" && typeof each.message.content === "string").length,
        calls: blocks.filter((block) => block.type === "tool_use").length,
      };
    },
  },
  {
    agent: "lingma",
    files: [["lingma/ctx/v1/local.db", ".lingma/vscode/sharedClientCache/cache/db/local.db"]],
    count(home) {
      const all = rows(
        join(home, ".lingma/vscode/sharedClientCache/cache/db/local.db"),
        "SELECT session_id FROM chat_record",
      );
      return { conversations: new Set(all.map((row) => row.session_id)).size, prompts: all.length, calls: 0 };
    },
  },
  {
    agent: "junie",
    files: [["junie/ctx/sessions", ".junie/sessions"]],
    count(home) {
      const all = records(home, ".junie/sessions/*/events.jsonl").flat();
      const kinds = all.map((each) => each.event?.agentEvent?.kind ?? each.kind);
      const tools = ["TerminalBlockUpdatedEvent", "ToolBlockUpdatedEvent", "FileChangesBlockUpdatedEvent"];
      return {
        conversations: 1,
        prompts: kinds.filter((kind) => kind === "UserPromptEvent").length,
        calls: kinds.filter((kind) => tools.includes(kind)).length,
      };
    },
  },
  {
    agent: "gptme",
    files: [["gptme/agentsview", ".local/share/gptme/logs"]],
    count(home) {
      const logs = records(home, ".local/share/gptme/logs/*/conversation.jsonl");
      return {
        conversations: logs.length,
        prompts: logs.flat().filter((each) => each.role === "user").length,
        calls: 0,
      };
    },
  },
  {
    agent: "rovo_dev",
    files: [["rovodev/ctx/v1/sessions", ".rovodev/sessions"]],
    count(home) {
      const [context] = documents(home, ".rovodev/sessions/*/session_context.json");
      const parts = context.message_history.flatMap((each: Raw) => each.parts);
      return {
        conversations: 1,
        prompts: context.message_history.filter((each: Raw) => each.role === "user").length,
        calls: parts.filter((part: Raw) => part.kind === "tool_use").length,
      };
    },
  },
  {
    agent: "trae_cli",
    files: [["traex/agentsview/*.jsonl", ".trae/cli/sessions/2026/08/01/rollout-2026-08-01T18-07-04-#.jsonl"]],
    count(home) {
      const all = records(home, ".trae/cli/sessions/**/*.jsonl").flat();
      return {
        conversations: 1,
        prompts: all.filter((each) => each.payload?.type === "user_message").length,
        calls: all.filter((each) => each.payload?.type === "function_call").length,
      };
    },
  },
];

function layOut(sample: Sample): string {
  const home = mkdtempSync(join(tmpdir(), `dex-agents-${sample.agent}-`));
  for (const [from, to] of sample.files) {
    const found = from.includes("*") ? globSync(from, { cwd: DATA }).toSorted() : [from];
    for (const [index, file] of found.entries()) {
      const target = join(home, to.replace("#", String(index + 1)));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(DATA, file), target, { recursive: true, mode: 0 });
    }
  }
  return home;
}

describe("files of agents", { skip }, () => {
  for (const sample of SAMPLES) {
    it(`${sample.agent}: as many conversations, prompts and tool calls as the raw files have`, async () => {
      const home = layOut(sample);
      const source = await loadSource(sample.agent);
      assert.ok(source);
      const sink = new CollectingSink();
      readAll(source, testEnv(home, {}, [join(home, "project")]), sink);
      const messages = [...sink.conversations.values()].flatMap((each) => each.messages);
      const counts: Counts = {
        conversations: sink.conversations.size,
        prompts: messages.filter((message) => message.role === "user").length,
        calls: messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool_call").length,
      };
      assert.deepEqual(counts, sample.count(home));
      assert.ok(counts.prompts > 0);
      rmSync(home, { recursive: true, force: true });
    });
  }
});
