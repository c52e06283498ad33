/**
 * The memory that V8 sets aside for new objects. It doubles while many of them survive, up to 64 MB, which saves no time
 * where a few megabytes suffice.
 */
import { setFlagsFromString } from "node:v8";

let holders = 0;

/**
 * Keeps it at its present size in all threads of this process, until the returned function is called. Half of it has
 * `newThreadMb` in threads that are started meanwhile; by default 1 MB.
 */
export function holdYoungGeneration(newThreadMb = 0): () => void {
  if (!hasUsualFlags()) return () => {};
  holders += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  if (newThreadMb > 0) setFlagsFromString(`--min-semi-space-size=${newThreadMb}`);
  return () => {
    holders -= 1;
    if (newThreadMb > 0) setFlagsFromString("--min-semi-space-size=0");
    if (holders === 0) setFlagsFromString("--semi-space-growth-factor=2");
  };
}

/** Whether the flags that take others back are the usual ones: where they are not, V8 would refuse the kept code. */
export function hasUsualFlags(): boolean {
  return process.versions.v8.startsWith("13.") && (process.arch === "x64" || process.arch === "arm64");
}
