/**
 * A project with many members: the corpus is divided among them, each pushes their part in several steps, as people do
 * from day to day, and a reader without history searches. Each member writes the part of the index with their own
 * conversations, so a question looks into many small segments.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { timed } from "../lib/measure.ts";
import type { Row } from "../lib/table.ts";
import { type BenchTeam, run, running, SCOPE } from "./server.ts";

/** Pushes that run at the same time. */
const AT_ONCE = 2;
const CLAUDE_PROJECTS = join(".claude", "projects");

export async function manyMembers(
  team: BenchTeam,
  temp: string,
  corpus: { home: string; files: readonly string[] },
  members: number,
  steps: number,
): Promise<Row[]> {
  const programs = Array.from({ length: members }, (_, at) => team.join(`member${at}`, join(temp, `member${at}`)));
  const parts = divided(corpus, members * steps);
  for (const program of programs) run(program, "team", "share", "/", "--as", SCOPE, "--now");
  const ms = await timed(async () => {
    for (let step = 0; step < steps; step += 1) {
      for (const [at, { home }] of programs.entries()) copyFiles(corpus.home, home, parts[step * members + at] ?? []);
      await inTurns(programs, AT_ONCE, async (program) => {
        for (const command of ["sync", "push"]) {
          const { status, output } = await running(program, command);
          if (status !== 0) throw new Error(`dex ${command} failed: ${output}`);
        }
      });
      await team.indexed();
    }
  });
  const segments = await team.segments();
  const what = `${members} members push ${steps} times each, ${AT_ONCE} at once, with their syncs and indexes`;
  const measured = `${(ms / 1000 / members / steps).toFixed(2)} s for each push; ${segments} segments of ${(await team.messages()).toLocaleString("en")} messages`;
  return [{ what, measured, aim: "", met: true }];
}

/** Claude Code's files, a session with its subagents in one part. */
function divided({ home, files }: { home: string; files: readonly string[] }, count: number): string[][] {
  const parts: string[][] = Array.from({ length: count }, () => []);
  const known = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const path = relative(home, file);
    if (!path.startsWith(CLAUDE_PROJECTS)) continue;
    const session = path
      .split(sep)
      .slice(0, 4)
      .join(sep)
      .replace(/\.jsonl$/, "");
    const part = known.get(session) ?? (parts[known.size % count] as string[]);
    known.set(session, part);
    part.push(path);
  }
  return parts;
}

function copyFiles(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
}

async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
