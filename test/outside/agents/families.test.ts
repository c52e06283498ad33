/** Agents that share the form of their sessions with Claude Code or pi, and those whose form is close to it. */
import {
  checkSamples,
  hasText,
  hasWords,
  listed,
  type Raw,
  records,
  type Sample,
} from "../../support/histories/agent_files.ts";

const IFLOW: Sample = {
  agent: "iflow",
  files: [["iflow/agentsview/*.jsonl", ".iflow/projects/x/session-#.jsonl"]],
  expected: { conversations: 1, prompts: 1, calls: 6 },
  count(home) {
    const all = records(home, ".iflow/projects/x/*.jsonl").flat();
    const blocks = all.flatMap((each) => listed(each.message?.content));
    const ids = blocks.filter((block) => block.type === "tool_use").map((block) => block.id);
    const typed = all.filter((each) => each.type === "user" && typeof each.message.content === "string");
    return { conversations: 1, prompts: typed.length, calls: new Set(ids).size };
  },
};

const QODER: Sample = {
  agent: "qoder",
  files: [["qoder/ctx/projects", ".qoder/projects"]],
  expected: { conversations: 1, prompts: 1, calls: 1, texts: 3 },
  count(home) {
    const all = records(home, ".qoder/projects/**/*.jsonl").flat();
    const blocks = all.flatMap((each) => listed(each.message?.content));
    return {
      conversations: 1,
      prompts: all.filter((each) => each.type === "user" && typeof each.message.content === "string").length,
      calls: blocks.filter((block) => block.type === "tool_use").length,
      texts: all.filter((each) => hasText(each.message?.content)).length,
    };
  },
};

const CURSOR: Sample = {
  agent: "cursor",
  files: [["cursor/agent-sessions/*.jsonl", ".cursor/projects/srv-app/agent-transcripts/chat#/chat#.jsonl"]],
  expected: { conversations: 3, prompts: 6, calls: 4, texts: 13 },
  count(home) {
    const logs = records(home, ".cursor/projects/*/agent-transcripts/*/*.jsonl");
    const all = logs.flat();
    return {
      conversations: logs.length,
      prompts: all.filter((each) => each.role === "user" && hasText(each.message.content)).length,
      calls: all.flatMap((each) => listed(each.message?.content)).filter((block) => block.type === "tool_use").length,
      texts: all.filter((each) => hasText(each.message?.content)).length,
    };
  },
};

/** `stream_json_….jsonl` is left out: it is what `droid exec` prints, not what Droid keeps. */
const DROID: Sample = {
  agent: "factory_droid",
  files: [["droid/agent-sessions/session_store_*.jsonl", ".factory/sessions/-tmp/session#.jsonl"]],
  expected: { conversations: 2, prompts: 3, calls: 1, texts: 7 },
  count(home) {
    const logs = records(home, ".factory/sessions/*/*.jsonl");
    const messages = logs.flat().flatMap((each) => (each.type === "message" ? [each.message] : []));
    return {
      conversations: logs.length,
      prompts: messages.filter((each) => each.role === "user" && hasText(each.content)).length,
      calls: messages.flatMap((each) => each.content).filter((block) => block.type === "tool_use").length,
      texts: messages.filter((each) => hasText(each.content)).length,
    };
  },
};

function countPi(home: string, pattern: string) {
  const logs = records(home, pattern);
  const messages = logs.flat().flatMap((entry): Raw[] => (entry.type === "message" ? [entry.message] : []));
  const spoken = messages.filter(
    ({ role, content }) =>
      (role === "user" || role === "assistant") &&
      listed(content).some((block) => block.type === "text" && hasWords(block.text)),
  );
  return {
    conversations: logs.length,
    prompts: spoken.filter(({ role }) => role === "user").length,
    calls: messages.flatMap(({ content }) => listed(content)).filter((block) => block.type === "toolCall").length,
    texts: spoken.length,
  };
}

const PI: Sample = {
  agent: "pi",
  files: [["pi/irrlicht/*.jsonl", ".pi/agent/sessions/--srv-app--/2026-05-25T01-14-05-889Z_run#.jsonl"]],
  expected: { conversations: 4, prompts: 7, calls: 5, texts: 14 },
  count: (home) => countPi(home, ".pi/agent/sessions/*/*.jsonl"),
};

/** From before OpenClaw kept its sessions in a database. */
const OPENCLAW: Sample = {
  agent: "pi",
  what: "OpenClaw",
  files: [["openclaw/agent-sessions/*.jsonl", ".openclaw/agents/main/sessions/session#.jsonl"]],
  expected: { conversations: 2, prompts: 2, calls: 3, texts: 5 },
  count: (home) => countPi(home, ".openclaw/agents/*/sessions/*.jsonl"),
};

checkSamples("files of families of agents", [IFLOW, QODER, CURSOR, DROID, PI, OPENCLAW]);
