/**
 * The memory that V8 sets aside for new objects. It doubles while many of them survive, up to 64 MB, which saves no time
 * where a few megabytes suffice.
 */
import { setFlagsFromString } from "node:v8";

let holders = 0;

/** Keeps it at its present size in all threads of this process, until the returned function is called. */
export function holdYoungGeneration(): () => void {
  if (!hasUsualFlags()) return () => {};
  holders += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  return () => {
    holders -= 1;
    if (holders === 0) setFlagsFromString("--semi-space-growth-factor=2");
  };
}

/** Whether the flags that take others back are the usual ones: where they are not, V8 would refuse the kept code. */
export function hasUsualFlags(): boolean {
  return process.versions.v8.startsWith("13.") && (process.arch === "x64" || process.arch === "arm64");
}
