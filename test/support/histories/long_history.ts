/** History in Claude Code's form that takes a while to read: large sessions, each with a word of its own. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random, sentence, sessionId } from "./generate.ts";

const FOLDER = ".claude/projects/-home-sam-work";
const WORDS_PER_MESSAGE = 4000;

/**
 * Session 0 is the oldest file, the last one the newest. Returns the ids in that order. A file may be larger than its
 * messages: the rest is a record without text, of which a sync reads only the size.
 */
export function writeLongHistory(
  home: string,
  seed: number,
  sessions: number,
  bytesEach: number,
  fileBytes = bytesEach,
): string[] {
  const next = random(seed);
  const output = sentence(next, WORDS_PER_MESSAGE);
  mkdirSync(join(home, FOLDER), { recursive: true });
  const begin = Date.UTC(2026, 2, 1);
  return Array.from({ length: sessions }, (_, number) => {
    const id = sessionId(seed, number);
    const time = new Date(begin + number * 3_600_000);
    const record = (uuid: string, type: string, content: unknown): string =>
      `${JSON.stringify({ type, uuid, sessionId: id, cwd: "/home/sam/work", timestamp: time.toISOString(), message: { role: type, content } })}\n`;
    let text = record(`${id}-0`, "user", `about marker${number}word`);
    for (let n = 1; text.length < bytesEach; n += 1) text += record(`${id}-${n}`, "user", `${n} ${output}`);
    const rest = fileBytes - text.length;
    if (rest > 0) text += `${JSON.stringify({ type: "file-history-snapshot", snapshot: "-".repeat(rest) })}\n`;
    const file = join(home, FOLDER, `${id}.jsonl`);
    writeFileSync(file, text);
    utimesSync(file, time, time);
    return id;
  });
}
