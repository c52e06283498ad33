/** The branch that is checked out, in a line: its name, how far it is from where it came from, what is not committed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import type { Repository } from "./repository.ts";

export interface BranchState {
  /** Undefined: no branch is checked out. */
  name: string | undefined;
  /** Against what the next two are counted. */
  base: string | undefined;
  ahead: number;
  behind: number;
  /** Some of the files that differ from the last commit. */
  changed: string[];
  total: number;
}

const MOST_BYTES = 1 << 20;
const MOST_CHANGED = 200;

/** Undefined: it is no git repository, or git does not say in time. */
export async function branchState(repository: Repository, timeoutMs: number): Promise<BranchState | undefined> {
  if (!repository.git) return undefined;
  const options = { timeoutMs, maxBytes: MOST_BYTES };
  const ask = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await git(repository.root, args, options)).text;
    } catch {
      return undefined;
    }
  };
  const usual = BASES.find((ref) => hasRef(repository.commonDir, ref));
  // Both at once: most branches have no upstream, and are then held against the usual one.
  const [status, counts] = await Promise.all([
    ask("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames"),
    usual === undefined ? undefined : ask("rev-list", "--left-right", "--count", `${usual}...HEAD`),
  ]);
  if (status === undefined) return undefined;
  const lines = status.split("\0");
  const header = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`# branch.${key} `))?.slice(`# branch.${key} `.length);
  const name = header("head") === "(detached)" ? undefined : header("head");
  const files = lines.flatMap((line) => changedFile(line) ?? []);
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(header("ab") ?? "") ?? [];
  const upstream = { base: header("upstream"), ahead: Number(ahead ?? 0), behind: Number(behind ?? 0) };
  const against = ahead === undefined ? usualBase(usual, counts, name) : upstream;
  return { name, ...against, changed: files.slice(0, MOST_CHANGED), total: files.length };
}

const BASES = ["refs/heads/main", "refs/remotes/origin/main", "refs/heads/master", "refs/remotes/origin/master"];

function hasRef(commonDir: string, ref: string): boolean {
  if (existsSync(join(commonDir, ref))) return true;
  try {
    return readFileSync(join(commonDir, "packed-refs"), "utf8").includes(` ${ref}\n`);
  } catch {
    return false;
  }
}

/** The left side has what HEAD has not: so far we are behind. */
function usualBase(
  ref: string | undefined,
  counts: string | undefined,
  name: string | undefined,
): Pick<BranchState, "base" | "ahead" | "behind"> {
  const base = ref?.replace(/^refs\/(?:heads|remotes)\//, "");
  const [, behind, ahead] = /^(\d+)\s+(\d+)/.exec(counts ?? "") ?? [];
  if (base === undefined || base === name || ahead === undefined) return { base: undefined, ahead: 0, behind: 0 };
  return { base, ahead: Number(ahead), behind: Number(behind) };
}

/** `1 .M N... 100644 100644 100644 <sha> <sha> <path>`, `? <path>`, `u …`. */
function changedFile(line: string): string | undefined {
  if (line.startsWith("? ")) return line.slice(2);
  if (line.startsWith("1 ")) return line.split(" ").slice(8).join(" ");
  return line.startsWith("u ") ? line.split(" ").slice(10).join(" ") : undefined;
}
