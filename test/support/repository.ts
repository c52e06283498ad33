/** Real git repositories in temporary folders, with no settings but their own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dex-repo-")));
  folders.push(folder);
  return folder;
}

export class TestRepository {
  readonly root: string;
  /** A minute passes with every commit. */
  clock = Date.parse("2026-01-01T00:00:00Z");

  constructor(root = temporaryFolder()) {
    this.root = root;
    mkdirSync(root, { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...args: string[]): string {
    const date = new Date(this.clock).toISOString();
    const env = { ...process.env, ...GIT_VARS, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const all = ["-c", "protocol.file.allow=always", "-C", this.root, ...args];
    return execFileSync("git", all, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
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

  get head(): string {
    return this.git("rev-parse", "HEAD").trim();
  }
}
