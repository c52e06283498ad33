/**
 * Tunes V8 for a process that lives for a tenth of a second, while a hook answers a prompt.
 *
 * - TurboFan is off. The process ends before optimized code has paid for itself, but TurboFan's threads take a sixth of
 *   the processor time, and the process cannot end before they have finished their jobs. Maglev is off as well, which
 *   saves another seventh, unless the index is so large that its loops pay.
 * - For the same reason, WebAssembly stays with its baseline compiler; V8 would otherwise tier a loop up after part of a
 *   millisecond.
 * - After the first garbage collection the young generation grows tenfold. Otherwise V8 collects seven times, in threads as
 *   well. V8 takes all of that memory at once, so with a factor of 16 an answer took a millisecond longer.
 * - A regular expression is compiled to machine code at its 20th use, or for a text of more than 1,000 characters, and not
 *   at its second use: most are used a few times, and those with Unicode properties take a millisecond to compile.
 *
 * V8 accepts a code cache only under the flags with which it was created. So dex restores the usual flags before it creates
 * one, and while Node loads those of its own modules that have one.
 */
import { setFlagsFromString } from "node:v8";
import { hasUsualFlags } from "./heap_generations.ts";

/** Each flag with the one that restores V8's default. */
const NO_TURBOFAN = ["--no-opt", "--opt"] as const;
const NO_MAGLEV = ["--no-maglev", "--maglev"] as const;
/** The bytes of code that V8 runs before it tiers a loop up. */
const NO_WASM_TIER_UP = ["--wasm-tiering-budget=1000000000", "--wasm-tiering-budget=13000000"] as const;
const LARGER_YOUNG_GENERATION = ["--semi-space-growth-factor=10", "--semi-space-growth-factor=2"] as const;
const LATE_REGEXP_COMPILATION = ["--regexp-tier-up-ticks=20", "--regexp-tier-up-ticks=1"] as const;
const MIN_LARGE_INDEX_BYTES = 64 << 20;

type Flag = readonly [wanted: string, usual: string];

/** The flags that are set now. */
let tuned: Flag[] = [];

export function tuneForOneAnswer(indexBytes: number): void {
  tuneEarly();
  if (indexBytes < MIN_LARGE_INDEX_BYTES) return;
  takeBack(NO_MAGLEV);
  takeBack(NO_WASM_TIER_UP);
}

/**
 * Call it as early as possible: all objects of a program that is being loaded survive, and each collection moves them. A
 * sync, which needs the compilers, restores the usual flags.
 */
export function tuneEarly(): void {
  tune(NO_TURBOFAN);
  if (!hasUsualFlags()) return;
  tune(NO_MAGLEV);
  tune(NO_WASM_TIER_UP);
  tune(LARGER_YOUNG_GENERATION);
  tune(LATE_REGEXP_COMPILATION);
}

function takeBack(flag: Flag): void {
  if (!tuned.includes(flag)) return;
  setFlagsFromString(flag[1]);
  tuned = tuned.filter((each) => each !== flag);
}

function tune(flag: Flag): void {
  if (tuned.includes(flag)) return;
  setFlagsFromString(flag[0]);
  tuned.push(flag);
}

/** Does nothing if no flag was set. */
export function restoreEngineFlags(): void {
  for (const [, usual] of tuned) setFlagsFromString(usual);
  tuned = [];
}

/** Runs `load` with V8's usual flags, for code with a code cache. */
export function withUsualFlags<T>(load: () => T): T {
  const before = tuned;
  restoreEngineFlags();
  try {
    return load();
  } finally {
    for (const flag of before) tune(flag);
  }
}
