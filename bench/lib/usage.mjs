/**
 * Loaded before a program with `--import`: at its end it writes to the file USAGE_FILE, as JSON, the most memory it
 * ever held (`peak`, bytes) and the processor time it took, all threads together (`cpu`, milliseconds) and the main
 * thread alone (`main`).
 *
 * Linux is asked for the peak through /proc: there `maxRSS` of a process begins with what its parent held when it
 * was started.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.on("exit", () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage())));

function usage() {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const main = process.threadCpuUsage();
  return {
    peak: (peakOnLinux() ?? maxRSS) * 1024,
    cpu: (userCPUTime + systemCPUTime) / 1000,
    main: (main.user + main.system) / 1000,
  };
}

function peakOnLinux() {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}
