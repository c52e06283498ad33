/** The state of the checked-out branch: its name, distance to its base, and uncommitted files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { redactText } from "../redact/redact.ts";
import { git, IN_SUBMODULES } from "./git.ts";
import { type Repository, readGitFile } from "./repository.ts";

export interface BranchState {
  /** Undefined for a detached HEAD. */
  name: string | undefined;
  /** The ref that `ahead` and `behind` are counted against. */
  base: string | undefined;
  ahead: number;
  behind: number;
  /** Some of the files that differ from the last commit. */
  changed: string[];
  total: number;
}

const MAX_BYTES = 1 << 20;
const MAX_CHANGED = 200;
const MAX_PACKED_REFS_BYTES = 32 << 20;

/** Undefined without a git repository, or if git fails or is too slow. */
export async function branchState(repository: Repository, timeoutMs: number): Promise<BranchState | undefined> {
  if (!repository.git) return undefined;
  const options = { timeoutMs, maxBytes: MAX_BYTES };
  const ask = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await git(repository.root, args, options)).text;
    } catch {
      return undefined;
    }
  };
  const usual = baseOf(repository);
  // In parallel: most branches have no upstream and are compared with the default branch.
  const [status, counts] = await Promise.all([
    ask("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames", IN_SUBMODULES),
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
  const changed = files.slice(0, MAX_CHANGED).map(clean);
  return {
    name: name && clean(name),
    ...against,
    base: against.base && clean(against.base),
    changed,
    total: files.length,
  };
}

/** Names of branches and files may contain secrets. */
function clean(name: string): string {
  return redactText(name).text;
}

const BASES = ["refs/heads/main", "refs/remotes/origin/main", "refs/heads/master", "refs/remotes/origin/master"];

/** The default branch; undefined on it: most work in small projects happens there, and starting git takes time. */
function baseOf({ gitDir, commonDir }: Repository): string | undefined {
  const base = BASES.find((ref) => hasRef(commonDir, ref));
  return readGitFile(join(gitDir, "HEAD")) === `ref: ${base}` ? undefined : base;
}

function hasRef(commonDir: string, ref: string): boolean {
  if (existsSync(join(commonDir, ref))) return true;
  return (
    readGitFile(join(commonDir, "packed-refs"), MAX_PACKED_REFS_BYTES)
      ?.split("\n")
      .some((line) => line.endsWith(` ${ref}`)) ?? false
  );
}

/** The left count is the commits missing from HEAD: how far it is behind. */
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
