/** Agents whose database has serialised values in its columns. */
import { join } from "node:path";
import { checkSamples, hasText, listed, rows, type Sample, sum } from "../../support/histories/agent_files.ts";

/** The names of the classes are in the bytes of a write. */
const DEEP_AGENTS: Sample = {
  agent: "deep_agents",
  files: [["deepagents/ctx/v1/sessions.db", ".deepagents/.state/sessions.db"]],
  expected: { conversations: 1, prompts: 1, calls: 0, texts: 2 },
  count(home) {
    const path = join(home, ".deepagents/.state/sessions.db");
    const values = rows(path, "SELECT value FROM writes WHERE channel = 'messages'");
    const bytes = values.map(({ value }) => Buffer.from(value).toString("latin1")).join("");
    const named = (name: string): number => bytes.split(name).length - 1;
    return {
      conversations: rows(path, "SELECT DISTINCT thread_id, checkpoint_ns FROM checkpoints").length,
      prompts: named("HumanMessage"),
      calls: named("\xa4args"),
      texts: named("HumanMessage") + named("AIMessage"),
    };
  },
};

const ASTRBOT: Sample = {
  agent: "astrbot",
  files: [["astrbot/ctx/v1/data/data_v4.db", ".astrbot/data/data_v4.db"]],
  expected: { conversations: 1, prompts: 1, calls: 0, texts: 2 },
  count(home) {
    const stored = rows(join(home, ".astrbot/data/data_v4.db"), "SELECT content FROM conversations");
    const messages = stored.flatMap((row) => JSON.parse(row.content));
    return {
      conversations: stored.length,
      prompts: messages.filter((each) => each.role === "user").length,
      calls: sum(messages.map((each) => listed(each.tool_calls).length)),
      texts: messages.filter((each) => hasText(each.content)).length,
    };
  },
};

checkSamples("databases of serialised values", [DEEP_AGENTS, ASTRBOT]);
