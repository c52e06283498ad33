/** Real git repositories in temporary folders, with no settings but their own. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const GIT_VARS: Record<string, string> = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder, which is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-test-")));
  folders.push(folder);
  return folder;
}

function git(args: readonly string[], env: NodeJS.ProcessEnv): string {
  return execFileSync("git", args, {
    env: { ...env, ...GIT_VARS },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** An empty repository without git's example hooks, which is copied for each new one. */
let initial: string | undefined;

/** As `git init` does, without starting it each time. */
export function makeRepository(root: string): void {
  if (initial === undefined) {
    initial = join(temporaryFolder(), "initial");
    git(["init", "--quiet", "--initial-branch=main", initial], process.env);
    const hooks = join(initial, ".git/hooks");
    for (const name of existsSync(hooks) ? readdirSync(hooks) : []) rmSync(join(hooks, name));
  }
  cpSync(join(initial, ".git"), join(root, ".git"), { recursive: true });
}

export class TestRepository {
  readonly root: string;
  /** A minute passes with every commit. */
  clock = Date.parse("2026-01-01T00:00:00Z");

  constructor(root = temporaryFolder()) {
    this.root = root;
    mkdirSync(root, { recursive: true });
    if (!existsSync(join(root, ".git"))) makeRepository(root);
  }

  git(...args: string[]): string {
    const date = new Date(this.clock).toISOString();
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return git(["-c", "protocol.file.allow=always", "-c", "maintenance.auto=false", "-C", this.root, ...args], env);
  }

  write(path: string, content: string): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  /** Writes the files, commits all there is, and returns the commit. */
  commit(message: string, files: Readonly<Record<string, string>> = {}): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.clock += 60_000;
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "-m", message);
    return this.head;
  }

  /** Read from its file where there is one: starting git takes longer than the rest of most tests' commits. */
  get head(): string {
    const folder = join(this.root, ".git");
    const read = (name: string): string => readFileSync(join(folder, name), "utf8").trim();
    try {
      const [, branch] = /^ref: (refs\/heads\/.+)$/.exec(read("HEAD")) ?? [];
      if (branch !== undefined) return read(branch);
    } catch {
      // A linked working tree, or packed references.
    }
    return this.git("rev-parse", "HEAD").trim();
  }
}
