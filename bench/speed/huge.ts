/** A home with single lines of 100 MB, as agents really write them: a compaction, an inlined image, a pasted text. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { random, sentence, sessionId } from "../../test/support/histories/generate.ts";

const LINE_BYTES = 100_000_000;
const SEED = 100;
const TIME = "2026-03-01T09:00:00.000Z";
const CODEX_ID = "019c0000-0000-7000-8000-000000000001";

/** Returns the number of conversations to find. */
export function writeHugeLines(home: string): number {
  const next = random(SEED);
  const rollout = join(home, `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${CODEX_ID}.jsonl`);
  write(rollout, compaction(next));
  const claude = join(home, ".claude/projects/-home-sam-work");
  write(join(claude, `${sessionId(SEED, 1)}.jsonl`), image(sessionId(SEED, 1), next));
  write(join(claude, `${sessionId(SEED, 2)}.jsonl`), longText(sessionId(SEED, 2), next));
  return 3;
}

function* compaction(next: () => number): Generator<string> {
  const item = (role: string, text: string): object => ({
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  });
  const record = (type: string, payload: object): string => `${JSON.stringify({ timestamp: TIME, type, payload })}\n`;
  yield record("session_meta", { id: CODEX_ID, timestamp: TIME, cwd: "/home/sam/work", cli_version: "0.99.0" });
  yield record("response_item", item("user", sentence(next, 20)));
  yield record("response_item", item("assistant", sentence(next, 40)));
  const [head = "", tail = ""] = record("compacted", { message: sentence(next, 50), replacement_history: [0] }).split(
    "[0]",
  );
  yield `${head}[`;
  const repeated = Array.from({ length: 1000 }, (_, at) => item(at % 2 ? "assistant" : "user", sentence(next, 150)));
  yield* filling(JSON.stringify(repeated).slice(1, -1), ",");
  yield `]${tail}`;
  yield record("response_item", item("user", sentence(next, 20)));
}

function* image(id: string, next: () => number): Generator<string> {
  const source = { type: "base64", media_type: "image/png", data: "@" };
  const content = [
    { type: "text", text: sentence(next, 20) },
    { type: "image", source },
  ];
  const [head = "", tail = ""] = claudeLine(id, 0, { role: "user", content }).split("@");
  yield head;
  const noise = Buffer.from(Uint8Array.from({ length: 750_000 }, () => Math.floor(next() * 256)));
  yield* filling(noise.toString("base64"), "");
  yield tail;
  yield answer(id, next);
}

function* longText(id: string, next: () => number): Generator<string> {
  const [head = "", tail = ""] = claudeLine(id, 0, { role: "user", content: "@" }).split("@");
  yield head;
  yield* filling(sentence(next, 150_000), " ");
  yield tail;
  yield answer(id, next);
}

function answer(id: string, next: () => number): string {
  const content = [{ type: "text", text: sentence(next, 40) }];
  return claudeLine(id, 1, { id: `msg_${id}`, role: "assistant", model: "claude-test", content });
}

function claudeLine(id: string, number: number, message: { role: string } & Record<string, unknown>): string {
  const record = {
    parentUuid: number === 0 ? null : `${id}-${number - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/sam/work",
    sessionId: id,
    version: "2.1.0",
    gitBranch: "main",
    type: message.role,
    message,
    uuid: `${id}-${number}`,
    timestamp: TIME,
  };
  return `${JSON.stringify(record)}\n`;
}

function* filling(piece: string, between: string): Generator<string> {
  yield piece;
  for (let bytes = piece.length; bytes < LINE_BYTES; bytes += piece.length + between.length) yield between + piece;
}

function write(path: string, pieces: Iterable<string>): void {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, "w");
  try {
    for (const piece of pieces) writeSync(fd, piece);
  } finally {
    closeSync(fd);
  }
}
