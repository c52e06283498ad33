/** The branch that is checked out, in a line: its name, how far it is from where it came from, what is not committed. */
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
  // Both at once: most branches have no upstream, and are then held against the usual ones.
  const [status, refs] = await Promise.all([
    ask("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames"),
    ask("for-each-ref", "--count=1", "--format=%(refname:short) %(ahead-behind:HEAD)", ...BASES),
  ]);
  if (status === undefined) return undefined;
  const lines = status.split("\0");
  const header = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`# branch.${key} `))?.slice(`# branch.${key} `.length);
  const name = header("head") === "(detached)" ? undefined : header("head");
  const files = lines.flatMap((line) => changedFile(line) ?? []);
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(header("ab") ?? "") ?? [];
  const upstream = { base: header("upstream"), ahead: Number(ahead ?? 0), behind: Number(behind ?? 0) };
  const against = ahead === undefined ? usualBase(refs, name) : upstream;
  return { name, ...against, changed: files.slice(0, MOST_CHANGED), total: files.length };
}

const BASES = ["refs/remotes/origin/main", "refs/heads/main", "refs/remotes/origin/master", "refs/heads/master"];

/** Git counts from the named side: what that has and HEAD has not is how far we are behind. */
function usualBase(refs: string | undefined, name: string | undefined): Pick<BranchState, "base" | "ahead" | "behind"> {
  const [, base, behind, ahead] = /^(\S+) (\d+) (\d+)/.exec(refs ?? "") ?? [];
  if (base === undefined || base === name) return { base: undefined, ahead: 0, behind: 0 };
  return { base, ahead: Number(ahead), behind: Number(behind) };
}

/** `1 .M N... 100644 100644 100644 <sha> <sha> <path>`, `? <path>`, `u …`. */
function changedFile(line: string): string | undefined {
  if (line.startsWith("? ")) return line.slice(2);
  if (line.startsWith("1 ")) return line.split(" ").slice(8).join(" ");
  return line.startsWith("u ") ? line.split(" ").slice(10).join(" ") : undefined;
}
