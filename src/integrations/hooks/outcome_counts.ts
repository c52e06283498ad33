/**
 * How the hooks of each day ended, by host: `hooks.counts`, one line for each event, `2026-11-15 claude late 1`. A hook
 * only appends a line, after its answer; when the file grows, the lines of a day and host are added up. It holds neither
 * prompts nor paths.
 */
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { dayOf } from "../../kernel/time.ts";

/** `silent`: dex had nothing to say. `late`: it had no answer when the budget was spent. */
export const HOOK_OUTCOMES = ["answered", "silent", "late", "failed"] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

export interface OutcomeCounts extends Record<HookOutcome, number> {
  /** `2026-11-15`, local time. */
  day: string;
  host: string;
}

const MAX_BYTES = 32 << 10;
const MAX_DAYS = 60;
const DAY_MS = 86_400_000;
const PRIVATE = 0o600;
const LINE = /^(\d{4}-\d\d-\d\d) (\w{1,30}) (answered|silent|late|failed) (\d{1,9})$/;

/** Never fails: a count is not worth an error in a hook. */
export function countOutcome(path: string, host: string, outcome: HookOutcome, now: number): void {
  try {
    // A hook must not create dex's home folder.
    if (!existsSync(dirname(path))) return;
    appendFileSync(path, `${dayOf(now)} ${host} ${outcome} 1\n`, { mode: PRIVATE });
    if (statSync(path).size > MAX_BYTES) compact(path, now);
  } catch {
    // A read-only home, or a full disk.
  }
}

/** The latest day first. `days`: how many days, today included. Damaged lines are skipped. */
export function readOutcomes(path: string, days: number, now: number): OutcomeCounts[] {
  if (!existsSync(path)) return [];
  const first = dayOf(now - (days - 1) * DAY_MS);
  const found = new Map<string, OutcomeCounts>();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, day, host, outcome, count] = LINE.exec(line) ?? [];
    if (day === undefined || host === undefined || day < first) continue;
    const key = `${day} ${host}`;
    const known = found.get(key) ?? { day, host, answered: 0, silent: 0, late: 0, failed: 0 };
    known[outcome as HookOutcome] += Number(count);
    found.set(key, known);
  }
  return [...found.values()].sort((a, b) => (a.day === b.day ? (a.host < b.host ? -1 : 1) : a.day < b.day ? 1 : -1));
}

/** With fewer events a share says little. */
const MIN_EVENTS = 10;
const MAX_LATE_SHARE = 0.1;

/** The number of late hooks and of all, if more than one in ten was late. */
export function manyLate(outcomes: readonly OutcomeCounts[]): { late: number; all: number } | undefined {
  const late = outcomes.reduce((sum, each) => sum + each.late, 0);
  const all = outcomes.reduce((sum, each) => sum + each.answered + each.silent + each.late + each.failed, 0);
  return all < MIN_EVENTS || late / all <= MAX_LATE_SHARE ? undefined : { late, all };
}

/** Two hooks that compact at once may lose the counts of events between them: the file is a statistic. */
function compact(path: string, now: number): void {
  const lines = readOutcomes(path, MAX_DAYS, now)
    .reverse()
    .flatMap(({ day, host, ...counts }) =>
      HOOK_OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
        (outcome) => `${day} ${host} ${outcome} ${counts[outcome]}\n`,
      ),
    );
  writeFileAtomic(path, lines.join(""), PRIVATE);
}
