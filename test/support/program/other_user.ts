/**
 * Runs the built program as a user whom permissions bind. Tests that run as root drop root's rights for it; the clone
 * may be below a folder that only root may enter, so the program is copied to a folder that the other user can reach.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { program } from "./dex.ts";

/** The user and group `nobody` of most systems; any other than root's will do. */
const NOBODY = { uid: 65534, gid: 65534 };

export interface OtherUser {
  run(args: readonly string[], env: Record<string, string>): SpawnSyncReturns<string>;
}

/** Instead, a sentence with the reason why the test has to be skipped. */
export function otherUser(): OtherUser | string {
  if (process.getuid?.() !== 0) return userOf(process.execPath, program, {});
  if (canStart(process.execPath, program)) return userOf(process.execPath, program, NOBODY);
  const folder = mkdtempSync(join(tmpdir(), "dex-other-user-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const node = join(folder, "node");
  try {
    linkSync(process.execPath, node);
  } catch {
    // On another file system.
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
  }
  cpSync(dirname(program), join(folder, "dist"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const copied = join(folder, "dist", "dex.js");
  if (canStart(node, copied)) return userOf(node, copied, NOBODY);
  return `root runs this test, and another user cannot run programs in ${tmpdir()}`;
}

function userOf(node: string, file: string, user: { uid?: number; gid?: number }): OtherUser {
  return {
    run: (args, env) => spawnSync(node, [file, ...args], { cwd: "/", env, encoding: "utf8", ...user }),
  };
}

function canStart(node: string, file: string): boolean {
  return spawnSync(node, [file, "--version"], { cwd: "/", env: {}, ...NOBODY }).status === 0;
}
