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
  const usualThreads = startThreadsWithYoungGeneration(newThreadMb);
  holders += 1;
  setFlagsFromString("--semi-space-growth-factor=1");
  return () => {
    holders -= 1;
    usualThreads();
    if (holders === 0) setFlagsFromString("--semi-space-growth-factor=2");
  };
}

/** Half of it has `mb` in threads that are started until the returned function is called. */
export function startThreadsWithYoungGeneration(mb: number): () => void {
  if (mb === 0 || !hasUsualFlags()) return () => {};
  setFlagsFromString(`--min-semi-space-size=${mb}`);
  return () => setFlagsFromString("--min-semi-space-size=0");
}

/** Whether the flags that take others back are the usual ones: where they are not, V8 would refuse the kept code. */
export function hasUsualFlags(): boolean {
  return process.versions.v8.startsWith("13.") && (process.arch === "x64" || process.arch === "arm64");
}
