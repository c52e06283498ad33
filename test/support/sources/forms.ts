/** Files, databases and messages in the forms that several agents share. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Fields, WRITERS } from "./every_source.ts";

export type Writer = (home: string, fields: Fields) => void;

export function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function putJson(path: string, value: unknown): void {
  put(path, JSON.stringify(value));
}

export function putLines(path: string, records: readonly object[]): void {
  put(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** Creates each table with the columns of its first row and inserts the rows. */
export function putDatabase(path: string, tables: Readonly<Record<string, readonly Record<string, unknown>[]>>): void {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous=OFF");
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {});
    db.exec(`CREATE TABLE ${table} (${columns.join(", ")})`);
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] as string | number | Uint8Array | null));
  }
  db.close();
}

export const ms = (f: Fields): number => Date.parse(f.time);
export const seconds = (f: Fields): number => Math.floor(ms(f) / 1000);
export const input = (f: Fields): object => ({ command: f.command, file_path: f.file });
export const json = JSON.stringify;

/** Messages in OpenAI's form. */
export const chat = (f: Fields): object[] => [
  { role: "user", content: f.prompt },
  {
    role: "assistant",
    content: f.answer,
    reasoning_content: f.thinking,
    tool_calls: [{ id: f.call, type: "function", function: { name: f.tool, arguments: json(input(f)) } }],
  },
  { role: "tool", tool_call_id: f.call, content: f.output },
];

/** Lines in Claude Code's form. */
export const claudeLines = (f: Fields): object[] => {
  const common = { sessionId: f.id, cwd: f.project, gitBranch: f.branch, timestamp: f.time };
  const record = (n: number, fields: object): object => ({
    ...common,
    uuid: `${f.uid}${n}`,
    parentUuid: n === 1 ? null : `${f.uid}${n - 1}`,
    ...fields,
  });
  const blocks = [
    { type: "thinking", thinking: f.thinking },
    { type: "text", text: f.answer },
    { type: "tool_use", id: f.call, name: f.tool, input: input(f) },
  ];
  return [
    record(1, { type: "user", message: { role: "user", content: f.prompt } }),
    record(2, { type: "assistant", message: { id: "m1", role: "assistant", model: f.model, content: blocks } }),
    record(3, {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: f.call, content: f.output }] },
    }),
  ];
};

/** Entries in pi's form. */
export const piEntries = (f: Fields): object[] => {
  const entry = (n: number, message: object): object => ({
    type: "message",
    id: `${f.uid}${n}`,
    parentId: n === 1 ? null : `${f.uid}${n - 1}`,
    timestamp: f.time,
    message,
  });
  const blocks = [
    { type: "thinking", thinking: f.thinking },
    { type: "text", text: f.answer },
    { type: "toolCall", id: f.call, name: f.tool, arguments: input(f) },
  ];
  return [
    { type: "session", version: 3, id: f.id, timestamp: f.time, cwd: f.project },
    entry(1, { role: "user", content: f.prompt }),
    entry(2, { role: "assistant", model: f.model, content: blocks }),
    entry(3, { role: "toolResult", toolCallId: f.call, toolName: f.tool, content: f.output }),
  ];
};

/** A field of a Protocol Buffers message: bytes, text, or a number. */
export function proto(field: number, value: Uint8Array | string | number): Uint8Array {
  if (typeof value === "number") return Buffer.concat([varint(field * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

export const message = (...fields: Uint8Array[]): Uint8Array => Buffer.concat(fields);

/** Writes as the agent that it was made from, and moves the result to its own place. */
export function movedFrom(source: string, from: string, to: string): Writer {
  return (home, fields) => {
    const other = join(home, "moved");
    WRITERS[source]?.(other, fields);
    mkdirSync(dirname(join(home, to)), { recursive: true });
    renameSync(join(other, from), join(home, to));
    rmSync(other, { recursive: true });
  };
}

export const OPENCODE_DATABASE = ".local/share/opencode/opencode.db";
