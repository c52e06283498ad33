/** Descriptions of three formats that have readers: both must find the same words. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { plainFields } from "../../../../test/support/sources/every_source.ts";
import { MORE_WRITERS } from "../../../../test/support/sources/more_sources.ts";
import { readAgent } from "../../../../test/support/sources/read_agent.ts";
import type { Message } from "../../../conversations/model.ts";
import { readDescribed } from "./described.ts";

const home = mkdtempSync(join(tmpdir(), "dex-described-"));
after(() => rmSync(home, { recursive: true }));
const FIELDS = plainFields("described-1");

function described(name: string, value: unknown): string {
  const path = join(home, `${name}.json`);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

async function readBy(agent: string): Promise<Message[]> {
  return (await readAgent(agent, home)).only().messages;
}

/** The words of each role, without calls. */
function words(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === "text") return [`${role}: ${part.text}`];
      return part.type === "tool_result" ? [`${role}: ${part.output}`] : [];
    }),
  );
}

test("lines: Mistral Vibe", async () => {
  MORE_WRITERS.mistral_vibe?.(home, FIELDS);
  const format = described("lines", {
    source: "vibe_by_hand",
    records: { kind: "lines" },
    fields: {
      role: "role",
      text: "content",
      tool: "tool_calls.0.function.name",
      input: "tool_calls.0.function.arguments",
    },
  });
  const path = join(home, ".vibe/logs/session/session_20260101_100000_1/messages.jsonl");
  const { conversations, problems } = readDescribed(path, format);
  assert.deepEqual(problems, []);
  assert.equal(conversations.length, 1);
  assert.deepEqual(conversations[0]?.meta, { id: "messages", source: "vibe_by_hand" });
  assert.deepEqual(words(conversations[0]?.messages ?? []), words(await readBy("mistral_vibe")));
});

test("a document: Amp", async () => {
  MORE_WRITERS.amp?.(home, FIELDS);
  const format = described("document", {
    source: "amp_by_hand",
    records: { kind: "document", list: "messages" },
    only: { role: ["user", "assistant"] },
    fields: { role: "role", text: ["content.1.text", "content.0.text"], time: ["usage.timestamp", "meta.sentAt"] },
  });
  const { conversations } = readDescribed(join(home, `.local/share/amp/threads/T-${FIELDS.id}.json`), format);
  const own = words(await readBy("amp")).filter((line) => !line.startsWith("tool"));
  assert.deepEqual(words(conversations[0]?.messages ?? []), own);
  assert.equal(conversations[0]?.messages[0]?.time, new Date(FIELDS.time).toISOString());
});

test("rows of a database, with JSON in a column: Devin CLI", async () => {
  MORE_WRITERS.devin?.(home, FIELDS);
  const format = described("sqlite", {
    source: "devin_by_hand",
    records: {
      kind: "sqlite",
      query: `SELECT m.session_id, m.chat_message, m.created_at, s.title, s.working_directory FROM message_nodes m
                JOIN sessions s ON s.id = m.session_id ORDER BY m.row_id`,
    },
    fields: {
      conversation: "session_id",
      role: "chat_message.role",
      text: "chat_message.content",
      time: "created_at",
      title: "title",
      project: "working_directory",
    },
  });
  const { conversations } = readDescribed(join(home, ".local/share/devin/cli/sessions.db"), format);
  const [conversation] = conversations;
  assert.deepEqual(conversation?.meta, {
    id: FIELDS.id,
    source: "devin_by_hand",
    title: FIELDS.title,
    project: FIELDS.project,
  });
  assert.deepEqual(words(conversation?.messages ?? []), words(await readBy("devin")));
});

test("a wrong description says which field is wrong", () => {
  const bad = described("bad", {
    source: "x",
    records: { kind: "sqlite", query: "DROP TABLE t" },
    fields: { role: "r", text: "t" },
  });
  assert.throws(() => readDescribed(home, bad), {
    code: "bad_format",
    message: /records\.query: must begin with SELECT or WITH/,
  });
  assert.throws(() => readDescribed(home, join(home, "no such file")), { code: "unreadable_file" });
});
