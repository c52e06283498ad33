/** Invented history in Claude Code's form, as much as a test needs. Deterministic for a seed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

const WORDS = (
  "parser token index archive request response handler route cache worker queue schema column migration rollback commit " +
  "branch merge test failure timeout retry socket buffer stream encode decode render layout button dialog user session " +
  "refresh login password policy audit report export import chart filter search rank score vector lexer graph node edge"
).split(" ");

export function sentence(next: () => number, length: number): string {
  return Array.from({ length }, () => WORDS[Math.floor(next() * WORDS.length)]).join(" ");
}

export interface Generated {
  sessions: number;
  turns: number;
  /** Words in a tool output. */
  output?: number;
}

export function sessionId(seed: number, number: number): string {
  return `${seed.toString(16).padStart(8, "0")}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Writes `.claude/projects/…` below the home and returns the session ids. */
export function writeClaudeHistory(home: string, seed: number, options: Generated): string[] {
  const next = random(seed);
  const folder = join(home, ".claude/projects/-home-sam-work");
  mkdirSync(folder, { recursive: true });
  const ids: string[] = [];
  for (let s = 0; s < options.sessions; s += 1) {
    const id = sessionId(seed, s);
    ids.push(id);
    writeFileSync(join(folder, `${id}.jsonl`), claudeSession(id, next, options));
  }
  return ids;
}

export function claudeSession(id: string, next: () => number, options: Omit<Generated, "sessions">): string {
  const lines: object[] = [];
  let clock = Date.UTC(2026, 2, 1 + Math.floor(next() * 20), 9);
  let parent: string | null = null;
  const add = (record: Record<string, unknown>): void => {
    clock += 1000 + Math.floor(next() * 20_000);
    const uuid = `${id}-${lines.length}`;
    lines.push({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: "/home/sam/work",
      sessionId: id,
      version: "2.1.0",
      gitBranch: "main",
      ...record,
      uuid,
      timestamp: new Date(clock).toISOString(),
    });
    parent = uuid;
  };
  for (let turn = 0; turn < options.turns; turn += 1) {
    add({ type: "user", message: { role: "user", content: `${sentence(next, 12)} ${id.slice(-4)} turn ${turn}` } });
    const api = `msg_${id.slice(0, 8)}_${id.slice(-6)}_${turn}`;
    const call = `toolu_${id.slice(-6)}_${turn}`;
    const say = (block: object): void =>
      add({ type: "assistant", message: { id: api, role: "assistant", model: "claude-test", content: [block] } });
    say({ type: "text", text: sentence(next, 30) });
    say({ type: "tool_use", id: call, name: "Bash", input: { command: `npm test -- ${sentence(next, 2)}` } });
    add({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: call, content: sentence(next, options.output ?? 60) }],
      },
    });
  }
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
