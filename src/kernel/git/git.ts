/**
 * Options and environment for running git safely in an untrusted repository. The threat: a repository from an archive has
 * its own `.git/config`, and git runs programs named there (filters, diff drivers, hooks, a file watcher, signature
 * checks, remote helpers), reads files named there (a mailmap, an order file), or uses a folder elsewhere as the working
 * tree (`core.worktree`). So dex overrides every setting that starts a program or reads another file, allows no
 * transport, and takes no locks. Pathspecs are literal.
 */
import { execFile, spawnSync } from "node:child_process";
import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DexError } from "../errors.ts";
import { programFile, withSafePath } from "../programs.ts";

const SETTINGS: readonly string[] = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.askPass=",
  "core.alternateRefsCommand=false",
  "core.attributesFile=/dev/null",
  "core.quotePath=false",
  "credential.helper=",
  "diff.external=",
  "diff.orderFile=/dev/null",
  "diff.ignoreSubmodules=dirty",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "grep.column=false",
  "grep.fullName=false",
  "log.mailmap=false",
  "log.showSignature=false",
  "mailmap.blob=",
  "mailmap.file=/dev/null",
  "protocol.allow=never",
  "status.submoduleSummary=false",
  "submodule.recurse=false",
];

/** The file of git on the user's PATH. */
export function gitProgram(): string {
  return programFile("git", process.env);
}

/** Options before the name of git's command, for the repository whose working tree begins at `root`. */
export function gitOptions(root: string): string[] {
  const fixed = ["--no-pager", "--no-optional-locks", "--literal-pathspecs", "-C", root, `--work-tree=${root}`];
  return [...fixed, ...SETTINGS.flatMap((setting) => ["-c", setting])];
}

/** Files that every git command opens: git would block on a fifo and read a device forever. */
const OPENED = ["HEAD", "config", "config.worktree", "commondir", "index", "packed-refs", "shallow", "info/exclude"];
const MAX_GIT_FILE_BYTES = 4 * 1024 ** 3;

/** Whether git can safely use the folder: it has a HEAD, and the files that git opens are regular files. */
export function isGitFolder(path: string): boolean {
  return OPENED.every((name) => {
    try {
      const stats = statSync(join(path, name), { throwIfNoEntry: false });
      return stats ? stats.isFile() && stats.size <= MAX_GIT_FILE_BYTES : name !== "HEAD";
    } catch {
      return false;
    }
  });
}

/** Files at the root of a working tree that git reads. Git does not follow links here. */
const READ_IN_TREE = [".gitignore", ".gitattributes"];
const MAX_TREE_FILE_BYTES = 64 << 20;

/** A file of the working tree that would block git, like a fifo, or fill the memory. */
export function blockingFile(root: string): string | undefined {
  return READ_IN_TREE.map((name) => join(root, name)).find((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink() || stats.isDirectory()) return false;
    return !stats.isFile() || stats.size > MAX_TREE_FILE_BYTES;
  });
}

/** Variables that a hook or another git process may have set, and that would select another repository. */
const MISLEADING =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|COMMON_DIR|OBJECT_DIRECTORY|EXTERNAL_DIFF|TRACE.*)$/;

/** Commands that never convert a working file for storage, and therefore never run a filter. */
const WITHOUT_FILTERS = new Set(["config", "grep", "log", "ls-files", "rev-list", "rev-parse", "show"]);

/** The environment for one git command in the repository at `root`. */
export function gitEnv(root: string, command: string): NodeJS.ProcessEnv {
  const env = plainEnv();
  if (WITHOUT_FILTERS.has(command)) return env;
  return withSettings(env, overridesIn(root, command, spawnSync(gitProgram(), listFilters(root), listOptions(env))));
}

/** The same, without blocking the thread while git lists the filters. */
export async function gitEnvLater(root: string, command: string): Promise<NodeJS.ProcessEnv> {
  const env = plainEnv();
  if (WITHOUT_FILTERS.has(command)) return env;
  const listed = await new Promise<ListedFilters>((resolve) => {
    execFile(gitProgram(), listFilters(root), listOptions(env), (error, stdout) =>
      resolve({ stdout, ...(error ? { error: error.killed ? { code: "ETIMEDOUT" } : error } : {}) }),
    );
  });
  return withSettings(env, overridesIn(root, command, listed));
}

function plainEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!MISLEADING.test(name)) env[name] = value;
  return {
    ...withSafePath(env),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    // A repository's own `protocol.<name>.allow` overrides `protocol.allow`; this variable overrides both.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
  };
}

type Setting = readonly [key: string, value: string];

/** Uses environment variables, because `-c` cannot set a name with `=` in it. Keeps the user's own such settings. */
function withSettings(env: NodeJS.ProcessEnv, settings: readonly Setting[]): NodeJS.ProcessEnv {
  const first = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const added = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${first + i}`, key],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(first + settings.length) };
}

const MAX_LISTED_BYTES = 1 << 20;
const LIST_TIMEOUT_MS = 10_000;
const MAX_IGNORE_REVS_BYTES = 1 << 20;

interface ListedFilters {
  stdout: string | null;
  error?: object | undefined;
}

/** Filters may have any name: dex lists the configured ones, with a command that runs none, and blanks them. */
function listFilters(root: string): string[] {
  const asked = "^filter\\..*\\.(clean|smudge|process|required)$|^blame\\.ignorerevsfile$";
  return [...gitOptions(root), "config", "-z", "--get-regexp", asked];
}

function listOptions(env: NodeJS.ProcessEnv) {
  const limits = { maxBuffer: MAX_LISTED_BYTES, timeout: LIST_TIMEOUT_MS };
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return { env, encoding: "utf8" as const, stdio, ...limits };
}

const TOO_LARGE: readonly unknown[] = ["ENOBUFS", "ETIMEDOUT", "ERR_CHILD_PROCESS_STDIO_MAXBUFFER"];

function overridesIn(root: string, command: string, run: ListedFilters): Setting[] {
  // If git is missing or cannot read the configuration, the actual command fails and reports it.
  if (run.error && "code" in run.error && TOO_LARGE.includes(run.error.code)) {
    throw new DexError("git_failed", `The git configuration of ${root} is too large to be checked for filters.`, {
      hint: "Look at its .git/config: each filter there is a program that git would run.",
    });
  }
  const overrides = new Map<string, string>();
  for (const entry of (run.stdout ?? "").split("\0")) {
    const [key = "", ...value] = entry.split("\n");
    if (key === "blame.ignorerevsfile") {
      const path = value.join("\n");
      // Overriding this setting adds a value; it cannot remove one.
      if (command === "blame" && path !== "" && !isSmallFile(resolve(root, path))) throw badIgnoreRevs(root, path);
    } else if (key !== "") {
      const driver = key.slice(0, key.lastIndexOf("."));
      for (const name of ["clean", "smudge", "process"]) overrides.set(`${driver}.${name}`, "");
      overrides.set(`${driver}.required`, "false");
    }
  }
  return [...overrides];
}

function badIgnoreRevs(root: string, path: string): DexError {
  return new DexError("git_failed", `blame.ignoreRevsFile of ${root} is ${path}, which is not a small file.`, {
    hint: "Correct the setting, or remove it with `git config --unset blame.ignoreRevsFile`.",
  });
}

/** Git reads the whole list of commits that blame skips, whatever its size. */
function isSmallFile(path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_IGNORE_REVS_BYTES;
  } catch {
    return false;
  }
}
