/**
 * Limits to the growth of V8's heap. The young generation is the memory for new objects, two semi-spaces of equal size. V8
 * doubles it while many objects survive, up to 64 MB, which saves no time where a few megabytes suffice.
 */
import { setFlagsFromString } from "node:v8";

let holders = 0;

/**
 * Keeps the young generation at its present size in all threads of this process, until the returned function is called. In threads that are
 * started meanwhile, a semi-space has `newThreadMb`; by default 1 MB.
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

/**
 * Lets the old generation, where objects go that survive, grow by `percent` between two collections of it, in all threads
 * of this process, until the returned function is called. V8 lets a small one grow to several times its size.
 */
export function holdOldGeneration(percent: number): () => void {
  if (!hasUsualFlags()) return () => {};
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  return () => setFlagsFromString("--heap-growing-percent=0");
}

/** In threads that are started until the returned function is called, a semi-space has `mb`. */
export function startThreadsWithYoungGeneration(mb: number): () => void {
  if (mb === 0 || !hasUsualFlags()) return () => {};
  setFlagsFromString(`--min-semi-space-size=${mb}`);
  return () => setFlagsFromString("--min-semi-space-size=0");
}

/** Whether the defaults that dex restores are those of this V8: with others, V8 would reject its code caches. */
export function hasUsualFlags(): boolean {
  return process.versions.v8.startsWith("13.") && (process.arch === "x64" || process.arch === "arm64");
}
