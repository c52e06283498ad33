/**
 * Loaded before a program with `--import`: writes the most memory it ever held, in bytes, to the file PEAK_FILE.
 *
 * Linux is asked through /proc: there `maxRSS` of a process begins with what its parent held when it was started.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(peak() * 1024)));

function peak() {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
    if (found) return Number(found[1]);
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS;
}
