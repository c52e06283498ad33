/**
 * The folder for everything that tests write. Tests create thousands of small databases and repositories, and each
 * waits for the disk: in memory the same tests take half the time. The folder of a run is removed as a whole.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Many times what the tests keep at the same time. */
const MIN_FREE_BYTES = 2 * 2 ** 30;

export function makeTemporaryFolder(): string {
  return folderInMemory() ?? open(mkdtempSync(join(tmpdir(), "dex-test-")));
}

/** Undefined where there is no such folder, where it is small, or where no program may run in it, as in many containers. */
function folderInMemory(): string | undefined {
  // A person who names a folder for temporary files gets it.
  if (process.platform !== "linux" || process.env.TMPDIR !== undefined) return undefined;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (Math.min(bavail * bsize, freemem()) < MIN_FREE_BYTES) return undefined;
    folder = mkdtempSync(join(IN_MEMORY, "dex-test-"));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) {
      rmSync(program);
      return open(folder);
    }
  } catch {
    // Like a folder that is not there.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}

/** Like the shared folder for temporary files: some tests run programs of another user. */
function open(folder: string): string {
  chmodSync(folder, 0o1777);
  return folder;
}
