/** Runs the built program as an unprivileged user: permissions do not bind root. */
import { spawnSync } from "node:child_process";
import { lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Answer, program, type TestHome } from "./dex.ts";
import { HANG_MS } from "./limits.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Why an unprivileged user cannot run the program here; false: it can. */
export function withoutPlainUser(): string | false {
  if (!isRoot) return process.getuid === undefined ? "this system has no user ids" : false;
  const tried = spawnSync(process.execPath, [program, "--version"], {
    uid: NOBODY,
    gid: NOBODY,
    env: { HOME: "/nonexistent" },
  });
  return tried.status === 0 ? false : "user 65534 cannot run node or read the repository here";
}

/** Gives a home to the unprivileged user, if it is another one. */
export function giveAway(home: TestHome): void {
  if (!isRoot) return;
  lchownSync(home.home, NOBODY, NOBODY);
  for (const path of readdirSync(home.home, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(home.home, path), NOBODY, NOBODY);
  }
}

export function runAsNobody(home: TestHome, ...args: string[]): Answer {
  const run = spawnSync(process.execPath, [program, ...args], {
    cwd: home.home,
    env: home.env,
    encoding: "utf8",
    timeout: HANG_MS,
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}
