/** Gemini CLI, Antigravity, and the agents made from Gemini CLI. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkSamples,
  hasText,
  hasWords,
  linesOf,
  listed,
  paths,
  type Raw,
  records,
  rows,
  type Sample,
  sum,
} from "../../support/histories/agent_files.ts";

/** A message that is written again under its id replaces the earlier one. */
function lastVersions(log: readonly Raw[], key: string): Raw[] {
  return [...new Map(log.filter((each) => each[key]).map((each) => [each[key], each])).values()];
}

const GEMINI: Sample = {
  agent: "gemini",
  files: [["gemini-cli/irrlicht/*.jsonl", ".gemini/tmp/p/chats/session-#.jsonl"]],
  expected: { conversations: 4, prompts: 12, calls: 18, texts: 24, abandoned: 1 },
  count(home) {
    const logs = records(home, ".gemini/tmp/p/chats/*.jsonl");
    // The list of messages that a log sets at its start and after a step back repeats messages or sets the scene.
    const messages = logs.flatMap((log) => lastVersions(log, "id"));
    const prompts = messages.filter((each) => each.type === "user" && hasText(each.content));
    const answers = messages.filter((each) => each.type === "gemini" && hasText(each.content));
    return {
      conversations: logs.length,
      prompts: prompts.length,
      calls: new Set(messages.flatMap((each) => listed(each.toolCalls).map((call) => call.id))).size,
      texts: prompts.length + answers.length,
      abandoned: logs.flat().filter((each) => each.$rewindTo).length,
    };
  },
};

const LOG = ".system_generated/logs/transcript.jsonl";

const ANTIGRAVITY: Sample = {
  agent: "gemini",
  what: "Antigravity",
  files: [
    ["antigravity/irrlicht/*.jsonl", `.gemini/antigravity-cli/brain/run#/${LOG}`],
    ["antigravity/agent-sessions/*.jsonl", `.gemini/antigravity-cli/brain/capture#/${LOG}`],
    [
      "antigravity/irrlicht/18ee78b4-4643-45db-85df-8abd89b51b1b.db",
      ".gemini/antigravity-cli/conversations/18ee78b4-4643-45db-85df-8abd89b51b1b.db",
    ],
  ],
  /** A capture ends with lines that only show the form of further kinds of steps: they are no steps of its session. */
  prepare(home) {
    for (const path of paths(home, `.gemini/antigravity-cli/brain/capture*/${LOG}`)) {
      const lines = readFileSync(path, "utf8").split("\n");
      writeFileSync(path, lines.filter((line) => !line.includes('"created_at":"[trimmed')).join("\n"));
    }
  },
  expected: { conversations: 7, prompts: 15, calls: 6, texts: 29 },
  count(home) {
    const logs = records(home, `.gemini/antigravity-cli/brain/*/${LOG}`);
    const [database = ""] = paths(home, ".gemini/antigravity-cli/conversations/*.db");
    const steps = rows(database, "SELECT step_type FROM steps").map((row) => row.step_type);
    const prompts =
      logs.flat().filter((step) => step.type === "USER_INPUT").length + steps.filter((type) => type === 14).length;
    const answers =
      logs.flat().filter((step) => step.type === "PLANNER_RESPONSE" && hasWords(step.content)).length +
      steps.filter((type) => type === 15).length;
    return {
      conversations: logs.length + 1,
      prompts,
      calls: sum(logs.flat().map((step) => listed(step.tool_calls).length)),
      texts: prompts + answers,
    };
  },
};

/** `system_telemetry.jsonl` is left out: it has the form of records, all under one id, and not their contents. */
const QWEN: Sample = {
  agent: "qwen_code",
  files: [
    ["qwen-code/agent-sessions/019f0000-*.jsonl", ".qwen/projects/p/chats/019f0000-#.jsonl"],
    ["qwen-code/ctx/.qwen/projects", ".qwen/projects"],
  ],
  expected: { conversations: 4, prompts: 5, calls: 3, texts: 10, abandoned: 1 },
  count(home) {
    // In one of the files two records share a line.
    const logs = paths(home, ".qwen/projects/*/chats/*.jsonl").map((path) =>
      linesOf(readFileSync(path, "utf8").replaceAll('}{"uuid"', '}\n{"uuid"')),
    );
    const all = logs.flat();
    const parts = all.flatMap((each) => [...listed(each.message?.parts), ...listed(each.message?.content)]);
    const prompts = all.filter(
      (each) => each.type === "user" && (!each.subtype || each.subtype === "mid_turn_user_message"),
    );
    const spoken = (part: Raw): boolean => hasWords(part.text) && !part.thought;
    const answers = all.filter(
      (each) =>
        each.type === "assistant" && [...listed(each.message.parts), ...listed(each.message.content)].some(spoken),
    );
    return {
      conversations: logs.length,
      prompts: prompts.length,
      calls: parts.filter((part) => part.functionCall || part.type === "tool_use").length,
      texts: prompts.length + new Set(answers.map((each) => each.uuid)).size,
      abandoned: all.filter((each) => each.subtype === "rewind").length,
    };
  },
};

const TABNINE: Sample = {
  agent: "tabnine",
  files: [["tabnine-cli/ctx/.tabnine", ".tabnine"]],
  expected: { conversations: 2, prompts: 2, calls: 1, texts: 3 },
  count(home) {
    const logs = records(join(home, ".tabnine/agent/tmp/project/chats"), "**/*.jsonl");
    const all = logs.flat();
    return {
      conversations: logs.length,
      prompts: all.filter((each) => each.type === "user").length,
      calls: new Set(all.flatMap((each) => listed(each.toolCalls).map((call) => call.id))).size,
      texts: all.filter((each) => hasText(each.content)).length,
    };
  },
};

checkSamples("files of Gemini CLI and its family", [GEMINI, ANTIGRAVITY, QWEN, TABNINE]);
