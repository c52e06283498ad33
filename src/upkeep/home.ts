/** Whether dex can write its home: on a full disk or one that is read-only, dex still reads, and nothing new is kept. */
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../kernel/errors.ts";
import { isDiskFull } from "../kernel/files/atomic_write.ts";
import type { Problem } from "./problem.ts";

export function homeProblems(home: string): Problem[] {
  if (!existsSync(home)) return [];
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    const what = `${home} cannot be written (${systemCode(error)}): dex reads it, and keeps nothing new.`;
    return [{ code: "home_not_writable", what, path: home, fix: "set DEX_HOME to a folder you can write" }];
  }
  if (!isDiskFull(join(home, "lock.db"))) return [];
  const what = `The disk of ${home} is full: dex reads it, and keeps nothing new.`;
  return [{ code: "disk_full", what, path: home, fix: "free some space" }];
}
