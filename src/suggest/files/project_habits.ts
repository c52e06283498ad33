/**
 * Habits of a project, from its latest changes (commits or conversations): the files that change most, at all and with
 * files of a kind, and how often a file changes alone.
 */
import { isTestPath } from "../../code/test_paths.ts";
import type { ChangeHistory } from "../../project/changes.ts";
import type { Touch } from "../../store/history_records.ts";

export type FileKind = "code" | "test" | "text" | "data";

export interface ProjectHabits {
  /** How often recent changes changed a file, and the number of changes since the last one. */
  usual: ReadonlyMap<string, number>;
  idle: ReadonlyMap<string, number>;
  /** The same share among the recent changes that changed another file of this kind. */
  usualWith(kind: FileKind): ReadonlyMap<string, number>;
  /** The share of recent changes that changed one file only. */
  alone: number;
}

/** The number of changes that determine base rates, */
export const RECENT_CHANGES = 40;
/** and the number that determine habits. */
export const HABIT_CHANGES = 100;
/** In changes. */
const HALF_LIFE_USUAL = 10;
const HALF_LIFE_KIND = 20;
/** Pseudo-observations, and the share they assume. */
const PRIOR = 4;
const PRIOR_ALONE = 0.3;

const known = new WeakMap<ChangeHistory, ProjectHabits>();

/** Computed once for a history object, which must not change. */
export function projectHabits(changes: ChangeHistory): ProjectHabits {
  const habits = known.get(changes) ?? habitsOf(changes);
  known.set(changes, habits);
  return habits;
}

function habitsOf(changes: ChangeHistory): ProjectHabits {
  const latest = changes.latest(HABIT_CHANGES);
  const byKind = new Map<FileKind, ReadonlyMap<string, number>>();
  const single = latest.filter(({ files }) => files.length === 1).length;
  return {
    ...usualFiles(latest.slice(0, RECENT_CHANGES)),
    usualWith: (kind) => {
      const found = byKind.get(kind) ?? usualFilesWith(kind, latest);
      byKind.set(kind, found);
      return found;
    },
    alone: (single + PRIOR * PRIOR_ALONE) / (latest.length + PRIOR),
  };
}

const TEXT = /\.(?:md|mdx|rst|txt|adoc)$/i;
const DATA =
  /\.(?:json|jsonc|ya?ml|toml|lock|lockb|ini|cfg|conf|xml|csv|sum|mod|gradle|properties|env)$|^[^.]*$|^\.[^.]*$/i;

export function kindOf(path: string): FileKind {
  if (TEXT.test(path)) return "text";
  if (DATA.test(path.slice(path.lastIndexOf("/") + 1))) return "data";
  return isTestPath(path) ? "test" : "code";
}

function usualFiles(latest: readonly Touch[]): Pick<ProjectHabits, "usual" | "idle"> {
  const usual = new Map<string, number>();
  const idle = new Map<string, number>();
  let all = 0;
  for (const [age, { files }] of latest.entries()) {
    const weight = 0.5 ** (age / HALF_LIFE_USUAL);
    all += weight;
    for (const path of files) {
      usual.set(path, (usual.get(path) ?? 0) + weight);
      if (!idle.has(path)) idle.set(path, age);
    }
  }
  for (const [path, weight] of usual) usual.set(path, weight / (all + 1));
  return { usual, idle };
}

function usualFilesWith(kind: FileKind, latest: readonly Touch[]): Map<string, number> {
  const found = new Map<string, number>();
  let all = 0;
  let age = 0;
  for (const { files } of latest) {
    const ofKind = files.filter((path) => kindOf(path) === kind);
    if (ofKind.length === 0) continue;
    const weight = 0.5 ** (age / HALF_LIFE_KIND);
    age += 1;
    all += weight;
    for (const path of files) {
      // A file is not evidence for itself.
      if (ofKind.length > 1 || path !== ofKind[0]) found.set(path, (found.get(path) ?? 0) + weight);
    }
  }
  for (const [path, weight] of found) found.set(path, weight / (all + 1));
  return found;
}
