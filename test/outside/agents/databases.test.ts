/** Agents whose sessions are rows of a database. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import {
  checkSamples,
  DATA,
  documents,
  hasText,
  hasWords,
  insertRow,
  listed,
  makeDatabase,
  type Raw,
  records,
  rows,
  type Sample,
  sum,
} from "../../support/histories/agent_files.ts";

const CRUSH: Sample = {
  agent: "crush",
  files: [["crush/ctx/v1/crush.db", "project/.crush/crush.db"]],
  expected: { conversations: 2, prompts: 1, calls: 1, texts: 3 },
  count(home) {
    const path = join(home, "project/.crush/crush.db");
    const messages = rows(path, "SELECT role, parts FROM messages").map((row) => ({
      role: row.role,
      parts: JSON.parse(row.parts),
    }));
    const spoken = messages.filter(({ parts }) =>
      parts.some((part: Raw) => part.type === "text" && hasWords(part.data.text)),
    );
    return {
      conversations: rows(path, "SELECT id FROM sessions").length,
      prompts: messages.filter(({ role }) => role === "user").length,
      calls: messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool_call").length,
      texts: spoken.length,
    };
  },
};

const ZED: Sample = {
  agent: "zed",
  files: [["zed/ctx/v1/threads.db", ".local/share/zed/threads/threads.db"]],
  expected: { conversations: 2, prompts: 2, calls: 1, texts: 4 },
  count(home) {
    const threads = rows(join(home, ".local/share/zed/threads/threads.db"), "SELECT data FROM threads").map((row) =>
      JSON.parse(zstdDecompressSync(row.data).toString()),
    );
    const messages = threads.flatMap((thread) => thread.messages);
    return {
      conversations: threads.length,
      prompts: messages.filter((each) => each.User).length,
      calls: messages.flatMap((each) => listed(each.Agent?.content)).filter((block) => block.ToolUse).length,
      texts: messages.filter((each) => listed((each.User ?? each.Agent)?.content).some(({ Text }) => hasWords(Text)))
        .length,
    };
  },
};

const LINGMA: Sample = {
  agent: "lingma",
  files: [["lingma/ctx/v1/local.db", ".lingma/vscode/sharedClientCache/cache/db/local.db"]],
  expected: { conversations: 2, prompts: 3, calls: 0, texts: 6 },
  count(home) {
    const all = rows(
      join(home, ".lingma/vscode/sharedClientCache/cache/db/local.db"),
      "SELECT session_id, chat_prompt, summary, error_result FROM chat_record",
    );
    return {
      conversations: new Set(all.map((row) => row.session_id)).size,
      prompts: all.length,
      calls: 0,
      // A request that failed has an error for an answer.
      texts: all
        .flatMap((row) => [row.chat_prompt, row.summary || JSON.parse(row.error_result).message])
        .filter(hasWords).length,
    };
  },
};

const GOOSE: Sample = {
  agent: "goose",
  files: [["goose/deja/20250724_1.jsonl", ".local/share/goose/sessions/20250724_1.jsonl"]],
  prepare(home) {
    const sql = readFileSync(join(DATA, "goose/deja/goose.sql"), "utf8");
    makeDatabase(join(home, ".local/share/goose/sessions/sessions.db"), sql);
  },
  expected: { conversations: 2, prompts: 2, calls: 0, texts: 4 },
  count(home) {
    const [log = []] = records(home, ".local/share/goose/sessions/*.jsonl");
    const path = join(home, ".local/share/goose/sessions/sessions.db");
    const stored = rows(path, "SELECT role, content_json FROM messages");
    const spoken = [
      ...log.filter((each) => hasText(each.content)),
      ...stored.filter((row) => hasText(JSON.parse(row.content_json))),
    ];
    return {
      conversations: 1 + rows(path, "SELECT id FROM sessions").length,
      prompts: spoken.filter((each) => each.role === "user").length,
      calls: 0,
      texts: spoken.length,
    };
  },
};

const FIREBENDER: Sample = {
  agent: "firebender",
  files: [["firebender/ctx/v1/.idea", "project/.idea"]],
  expected: { conversations: 1, prompts: 1, calls: 1, texts: 3 },
  count(home) {
    const chats = rows(
      join(home, "project/.idea/firebender/chat_history.db"),
      "SELECT messages_json FROM chat_sessions",
    );
    const messages = chats.flatMap((row) => JSON.parse(row.messages_json));
    return {
      conversations: chats.length,
      prompts: messages.filter((each) => each.role === "user").length,
      calls: sum(messages.map((each) => listed(each.tool_calls).length)),
      texts: messages.filter((each) => hasWords(each.content.text)).length,
    };
  },
};

const FORGECODE: Sample = {
  agent: "forgecode",
  files: [["forgecode/ctx/v1/forge.db", ".forge/.forge.db"]],
  expected: { conversations: 1, prompts: 1, calls: 1, texts: 2 },
  count(home) {
    const stored = rows(join(home, ".forge/.forge.db"), "SELECT context FROM conversations");
    const said = stored
      .flatMap((row) => JSON.parse(row.context).messages)
      .map((each) => each.message.text)
      .filter((text) => text && text.role !== "System");
    return {
      conversations: stored.length,
      prompts: said.filter((text) => text.role === "User").length,
      calls: sum(said.map((text) => listed(text.tool_calls).length)),
      texts: said.filter((text) => hasWords(text.content)).length,
    };
  },
};

const KILO: Sample = {
  agent: "kilo_code",
  files: [["kilo/ctx/kilo.db", ".local/share/kilo/kilo.db"]],
  expected: { conversations: 1, prompts: 1, calls: 0, texts: 2 },
  count(home) {
    const path = join(home, ".local/share/kilo/kilo.db");
    const messages = rows(path, "SELECT type, data FROM session_message").map((row) => ({
      type: row.type,
      ...JSON.parse(row.data),
    }));
    return {
      conversations: rows(path, "SELECT id FROM session").length,
      prompts: messages.filter((each) => each.type === "user").length,
      calls: messages.flatMap((each) => listed(each.content)).filter((block) => block.type === "tool").length,
      texts: messages.filter((each) => hasWords(each.text) || hasText(each.content)).length,
    };
  },
};

const OPENCODE_TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text, directory text, title text, version text,
    time_created integer, time_updated integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
  CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer,
    data text);`;

/**
 * The recorder wrote down the rows of `part`, with facts of their messages under keys with `_`. They go back into a
 * database: every prompt and every step of an answer is a message.
 */
const OPENCODE: Sample = {
  agent: "opencode",
  files: [["opencode/irrlicht/*.jsonl", "recorded/run#.jsonl"]],
  prepare(home) {
    makeDatabase(join(home, ".local/share/opencode/opencode.db"), OPENCODE_TABLES, (db) => {
      for (const [run, log] of records(home, "recorded/*.jsonl").entries()) {
        const session_id = `ses_${run}`;
        const times = (at: number) => ({ time_created: at, time_updated: at });
        const facts = { project_id: "p", directory: log[0]._cwd, title: "Recorded", version: "1" };
        insertRow(db, "session", { id: session_id, ...facts, ...times(log[0]._ts) });
        let message_id = "";
        for (const [at, { _role: role, _cwd, _ts, _model, _error, ...part }] of log.entries()) {
          const number = String(at).padStart(4, "0");
          if (role === "user" || part.type === "step-start") {
            message_id = `msg_${run}_${number}`;
            const data = JSON.stringify({ role, time: { created: _ts } });
            insertRow(db, "message", { id: message_id, session_id, data, ...times(_ts) });
          }
          const data = JSON.stringify(part);
          insertRow(db, "part", { id: `prt_${run}_${number}`, message_id, session_id, data, ...times(_ts) });
        }
      }
    });
  },
  expected: { conversations: 4, prompts: 9, calls: 39, texts: 19 },
  count(home) {
    const logs = records(home, "recorded/*.jsonl");
    const texts = logs.flat().filter((part) => part.type === "text");
    return {
      conversations: logs.length,
      prompts: texts.filter((part) => part._role === "user").length,
      calls: logs.flat().filter((part) => part.type === "tool").length,
      texts: texts.length,
    };
  },
};

const HERMES_COLUMNS = ["role", "content", "tool_calls", "tool_call_id", "tool_name", "finish_reason"];

/** Rows that the recorder wrote down go back into the database of the other file, which has older columns. */
const HERMES: Sample = {
  agent: "hermes",
  files: [
    ["hermes/irrlicht/*.jsonl", "recorded/run#.jsonl"],
    ["hermes/agent-sessions/*.json", ".hermes/sessions/session_#.json"],
  ],
  prepare(home) {
    const sql = readFileSync(join(DATA, "hermes/deja/hermes.sql"), "utf8");
    makeDatabase(join(home, ".hermes/state.db"), sql, (db) => {
      for (const [run, log] of records(home, "recorded/*.jsonl").entries()) {
        for (const row of log) {
          const kept = Object.fromEntries(HERMES_COLUMNS.map((column) => [column, row[column] || null]));
          insertRow(db, "messages", { session_id: `run${run}`, timestamp: row._ts, ...kept, content: row.content });
        }
      }
    });
  },
  expected: { conversations: 7, prompts: 8, calls: 7, texts: 18 },
  count(home) {
    const stored = rows(join(home, ".hermes/state.db"), "SELECT session_id, role, content, tool_calls FROM messages");
    const files = documents(home, ".hermes/sessions/*.json");
    const all = [...stored, ...files.flatMap((file) => file.messages)];
    // Hermes speaks as the user when work in the background ends.
    const prompts = all.filter((each) => each.role === "user" && !each.content.startsWith("[ASYNC DELEGATION"));
    const answers = all.filter((each) => each.role === "assistant" && hasWords(each.content));
    const calls = (each: Raw): Raw[] => (typeof each === "string" ? JSON.parse(each) : listed(each));
    return {
      conversations: new Set(stored.map((row) => row.session_id)).size + files.length,
      prompts: prompts.length,
      calls: sum(all.map((each) => calls(each.tool_calls).length)),
      texts: prompts.length + answers.length,
    };
  },
};

const KIRO: Sample = {
  agent: "kiro",
  files: [
    ["kiro-cli/irrlicht/*.jsonl", ".kiro/sessions/cli/run#.jsonl"],
    // Facts about a session whose log was not recorded: no messages, therefore no conversation.
    ["kiro-cli/irrlicht/*.json", ".kiro/sessions/cli/facts#.json"],
    ["kiro-cli/ctx/v2/data.sqlite3", ".local/share/kiro-cli/data.sqlite3"],
  ],
  expected: { conversations: 4, prompts: 4, calls: 11, texts: 9 },
  count(home) {
    const logs = records(home, ".kiro/sessions/cli/*.jsonl");
    const stored = rows(join(home, ".local/share/kiro-cli/data.sqlite3"), "SELECT value FROM conversations_v2");
    const turns = stored.flatMap((row) => JSON.parse(row.value).history);
    // An answer comes in pieces with one id.
    const spoken = logs
      .flat()
      .filter((each) => each.kind !== "ToolResults")
      .filter((each) => listed(each.data?.content).some((block) => block.kind === "text" && hasWords(block.data)));
    const answers = turns.filter((turn) => hasWords((turn.assistant?.Response ?? turn.assistant?.ToolUse)?.content));
    const prompts = turns.filter((turn) => turn.user?.content?.Prompt);
    const uses = logs.flat().flatMap((each) => listed(each.data?.content).filter((block) => block.kind === "toolUse"));
    return {
      conversations: logs.length + stored.length,
      prompts: logs.flat().filter((each) => each.kind === "Prompt").length + prompts.length,
      calls: uses.length + sum(turns.map((turn) => listed(turn.assistant?.ToolUse?.tool_uses).length)),
      texts: new Set(spoken.map((each) => each.data.message_id)).size + prompts.length + answers.length,
    };
  },
};

checkSamples("databases of agents", [CRUSH, ZED, LINGMA, GOOSE, FIREBENDER, FORGECODE, KILO, OPENCODE, HERMES, KIRO]);
