/** Agents that append the records of a session, in a form of their own, to a file. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import {
  checkSamples,
  documents,
  hasText,
  hasWords,
  linesOf,
  listed,
  paths,
  type Raw,
  records,
  type Sample,
  sum,
} from "../../support/histories/agent_files.ts";

const MISTRAL_VIBE: Sample = {
  agent: "mistral_vibe",
  files: [
    ["mistral-vibe/agentsview", ".vibe/logs/session"],
    ["mistral-vibe/ctx/v1/logs/session", ".vibe/logs/session"],
    ["mistral-vibe/irrlicht/*.jsonl", ".vibe/logs/session/run#/messages.jsonl"],
  ],
  expected: { conversations: 6, prompts: 14, calls: 13, texts: 31 },
  count(home) {
    const logs = records(home, ".vibe/logs/session/*/messages.jsonl").filter((log) => log.length > 0);
    const prompts = logs.flat().filter((each) => each.role === "user" && !each.injected);
    const answers = logs.flat().filter((each) => each.role === "assistant" && hasWords(each.content));
    return {
      conversations: logs.length,
      prompts: prompts.length,
      calls: sum(logs.flat().map((each) => listed(each.tool_calls).length)),
      texts: prompts.length + answers.length,
    };
  },
};

const KIMI: Sample = {
  agent: "kimi",
  files: [
    ["kimi-code/agent-sessions/small.jsonl", ".kimi-code/sessions/wd/s1/agents/main/wire.jsonl"],
    ["kimi-code/agent-sessions/state.json", ".kimi-code/sessions/wd/s1/state.json"],
    ["kimi-code/agent-sessions/subagent_agent-0.jsonl", ".kimi-code/sessions/wd/s1/agents/agent-0/wire.jsonl"],
    ["kimi-code/agent-sessions/assistant_tools.jsonl", ".kimi-code/sessions/wd/s2/agents/main/wire.jsonl"],
  ],
  expected: { conversations: 3, prompts: 12, calls: 21 },
  count(home) {
    const logs = records(home, ".kimi-code/sessions/*/*/agents/*/wire.jsonl");
    const all = logs.flat();
    return {
      conversations: logs.length,
      // A subagent's prompt is its task, which the program gives it.
      prompts: all
        .filter((each) => each.type === "context.append_message")
        .filter(({ message: { origin } }) => origin?.kind === "user" || origin?.name === "subagent").length,
      calls: all.filter((each) => each.event?.type === "tool.call").length,
    };
  },
};

function countMux(home: string) {
  const logs = records(home, ".mux/sessions/**/chat.jsonl");
  const parts = logs.flat().flatMap((row) => listed(row.parts));
  return {
    conversations: logs.length,
    prompts: logs.flat().filter((row) => row.role === "user").length,
    calls: new Set(parts.filter((part) => part.type === "dynamic-tool").map((part) => part.toolCallId)).size,
    // An answer that is being written is in a file of its own.
    texts: [...logs.flat(), ...documents(home, ".mux/sessions/**/partial.json")].filter((row) => hasText(row.parts))
      .length,
  };
}

const MUX: Sample = {
  agent: "mux",
  files: [["mux/ctx/v0.27.0/sessions", ".mux/sessions"]],
  expected: { conversations: 2, prompts: 2, calls: 2, texts: 6 },
  count: countMux,
};

const MUX_TORN: Sample = {
  agent: "mux",
  what: "with a torn line",
  files: [["mux/ctx/malformed/sessions", ".mux/sessions"]],
  expected: { conversations: 1, prompts: 1, calls: 0, texts: 2 },
  count: countMux,
};

const GROK_BUILD: Sample = {
  agent: "grok_build",
  files: [
    ["grok-build/agentsview/current", ".grok/sessions"],
    ["grok-build/agentsview/legacy", ".grok/sessions"],
    ["grok-build/agent-sessions/subagent_chat_history.jsonl", ".grok/sessions/x/sub/chat_history.jsonl"],
    ["grok-build/agent-sessions/subagent_summary.json", ".grok/sessions/x/sub/summary.json"],
    // The facts of a session whose messages were not recorded: no conversation.
    ["grok-build/agent-sessions/summary.json", ".grok/sessions/x/main/summary.json"],
  ],
  expected: { conversations: 3, prompts: 4, calls: 4, texts: 10 },
  count(home) {
    const logs = records(home, ".grok/sessions/*/*/chat_history.jsonl");
    const kind = (each: Raw): string => each.type ?? each.role;
    const own = logs
      .flat()
      .filter((each) => kind(each) === "user" && (!each.synthetic_reason || each.synthetic_reason === "interjection"));
    return {
      conversations: logs.length,
      prompts: own.length,
      calls:
        sum(logs.flat().map((each) => listed(each.tool_calls).length)) +
        logs.flat().filter((each) => kind(each) === "backend_tool_call").length,
      texts: own.length + logs.flat().filter((each) => kind(each) === "assistant" && hasText(each.content)).length,
    };
  },
};

function countDeepseek(logs: readonly Raw[][]) {
  const all = logs.flat();
  return {
    conversations: logs.length,
    prompts: all.filter((each) => each.type === "user/message" && each.data.source?.kind === "user").length,
    calls: all.filter((each) => each.type === "tool/call").length,
    texts: all
      .filter((each) => /^(?:user|assistant)\/message$/.test(each.type))
      .filter(({ data }) => hasText((data.message ?? data).content)).length,
  };
}

const DEEPSEEK: Sample = {
  agent: "deepseek_harness",
  files: [["deepseek-harness/ctx/v0/raw/sessions", ".dsh/sessions"]],
  expected: { conversations: 2, prompts: 2, calls: 2, texts: 6 },
  count: (home) => countDeepseek(records(home, ".dsh/sessions/*/*/session.jsonl")),
};

/** Each frame by itself: Node stops after the first one. */
function decompressed(bytes: Buffer): string {
  const second = bytes.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 4);
  return [bytes.subarray(0, second), bytes.subarray(second)].map((frame) => zstdDecompressSync(frame)).join("");
}

const DEEPSEEK_COMPRESSED: Sample = {
  ...DEEPSEEK,
  what: "compressed",
  files: [["deepseek-harness/ctx/v0/zstd/sessions", ".dsh/sessions"]],
  count: (home) =>
    countDeepseek(
      paths(home, ".dsh/sessions/*/*/session.jsonl.zstd").map((path) => linesOf(decompressed(readFileSync(path)))),
    ),
};

const JUNIE: Sample = {
  agent: "junie",
  files: [["junie/ctx/sessions", ".junie/sessions"]],
  expected: { conversations: 1, prompts: 1, calls: 2, texts: 2 },
  count(home) {
    const all = records(home, ".junie/sessions/*/events.jsonl").flat();
    const kinds = all.map((each) => each.event?.agentEvent?.kind ?? each.kind);
    const tools = ["TerminalBlockUpdatedEvent", "ToolBlockUpdatedEvent", "FileChangesBlockUpdatedEvent"];
    return {
      conversations: 1,
      prompts: kinds.filter((kind) => kind === "UserPromptEvent").length,
      calls: kinds.filter((kind) => tools.includes(kind)).length,
      texts: kinds.filter((kind) => kind === "UserPromptEvent" || kind === "ResultBlockUpdatedEvent").length,
    };
  },
};

const GPTME: Sample = {
  agent: "gptme",
  files: [["gptme/agentsview", ".local/share/gptme/logs"]],
  expected: { conversations: 1, prompts: 2, calls: 0, texts: 4 },
  count(home) {
    const logs = records(home, ".local/share/gptme/logs/*/conversation.jsonl");
    const spoken = logs.flat().filter((each) => ["user", "assistant"].includes(each.role));
    return {
      conversations: logs.length,
      prompts: spoken.filter((each) => each.role === "user").length,
      calls: 0,
      texts: spoken.length,
    };
  },
};

const TRAE_CLI: Sample = {
  agent: "trae_cli",
  files: [["traex/agentsview/*.jsonl", ".trae/cli/sessions/2026/08/01/rollout-2026-08-01T18-07-04-#.jsonl"]],
  expected: { conversations: 1, prompts: 1, calls: 3 },
  count(home) {
    const all = records(home, ".trae/cli/sessions/**/*.jsonl").flat();
    return {
      conversations: 1,
      prompts: all.filter((each) => each.payload?.type === "user_message").length,
      calls: all.filter((each) => each.payload?.type === "function_call").length,
    };
  },
};

/** The recorder put the sessions of a run one after the other; Copilot keeps each in a folder of its own. */
const COPILOT: Sample = {
  agent: "copilot",
  files: [["copilot-cli/irrlicht/*.jsonl", "recorded/run#.jsonl"]],
  prepare(home) {
    for (const log of records(home, "recorded/*.jsonl")) {
      const starts = log.flatMap((event, at) => (event.type === "session.start" ? [at] : []));
      for (const [number, start] of starts.entries()) {
        const events = log.slice(start, starts[number + 1]);
        const path = join(home, ".copilot/session-state", events[0].data.sessionId, "events.jsonl");
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      }
    }
  },
  expected: { conversations: 12, prompts: 13, calls: 6, texts: 25 },
  count(home) {
    const all = records(home, "recorded/*.jsonl").flat();
    // Each subagent begins with a prompt of its session.
    const prompts = all.filter((event) => event.type === "user.message" && (!event.data.source || event.agentId));
    const agents = new Set(all.map((event) => event.agentId).filter(Boolean));
    const answers = all.filter((event) => event.type === "assistant.message");
    return {
      conversations: all.filter((event) => event.type === "session.start").length + agents.size,
      prompts: prompts.length,
      calls: sum(answers.map((event) => event.data.toolRequests.length)),
      texts: prompts.length + answers.filter((event) => hasWords(event.data.content)).length,
    };
  },
};

checkSamples("logs of agents", [
  MISTRAL_VIBE,
  KIMI,
  MUX,
  MUX_TORN,
  GROK_BUILD,
  DEEPSEEK,
  DEEPSEEK_COMPRESSED,
  JUNIE,
  GPTME,
  TRAE_CLI,
  COPILOT,
]);
