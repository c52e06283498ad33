/**
 * Sets V8 up for a process that lives for a tenth of a second, while a hook answers a prompt.
 *
 * - Its slowest compiler is off. The process ends before that compiler's code has paid for itself, but its threads take a
 *   sixth of the processor time, and the process cannot end before they have finished what they are at. The next one is
 *   off as well, which saves another seventh, unless the index is so large that its loops pay.
 * - The same holds for the slow compiler of WebAssembly, which V8 runs for a loop that has taken part of a millisecond.
 * - New objects get 16 times the memory after the first collection of garbage. Otherwise V8 collects it seven times, in
 *   threads as well; with 8 times, a prompt needs a second one, which takes a fifteenth of its processor time.
 * - A regular expression is compiled to machine code at its 20th use, or for a text of more than 1,000 characters, and not
 *   at its second use: most are used a few times, and those with Unicode properties take a millisecond to compile.
 *
 * V8 accepts kept code only under the flags with which it was made, so all of them are as before when code is kept. The
 * same holds for the parts of Node: those that load late are loaded under the usual flags.
 */
import { setFlagsFromString } from "node:v8";
import { hasUsualFlags } from "./young_generation.ts";

/** Each with the flag that takes it back. */
const NO_SLOW_COMPILER = ["--no-opt", "--opt"] as const;
const NO_MIDDLE_COMPILER = ["--no-maglev", "--maglev"] as const;
/** After so many bytes of code that it has run, V8 compiles a loop again; the usual number is V8's default. */
const NO_SLOW_LOOP_COMPILER = ["--wasm-tiering-budget=1000000000", "--wasm-tiering-budget=13000000"] as const;
const MORE_MEMORY = ["--semi-space-growth-factor=16", "--semi-space-growth-factor=2"] as const;
const FEW_COMPILED_PATTERNS = ["--regexp-tier-up-ticks=20", "--regexp-tier-up-ticks=1"] as const;
const MIN_LARGE_INDEX_BYTES = 64 << 20;

type Flag = readonly [wanted: string, usual: string];

/** Those that are set. */
let tuned: Flag[] = [];

export function tuneForOneAnswer(indexBytes: number): void {
  tuneEarly();
  if (indexBytes < MIN_LARGE_INDEX_BYTES) return;
  takeBack(NO_MIDDLE_COMPILER);
  takeBack(NO_SLOW_LOOP_COMPILER);
}

/**
 * The sooner the better: while a program is loaded, all its objects survive, and V8 moves them each time. A sync, which
 * needs the compilers, takes all of it back.
 */
export function tuneEarly(): void {
  tune(NO_SLOW_COMPILER);
  if (!hasUsualFlags()) return;
  tune(NO_MIDDLE_COMPILER);
  tune(NO_SLOW_LOOP_COMPILER);
  tune(MORE_MEMORY);
  tune(FEW_COMPILED_PATTERNS);
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

/** For what V8 or Node keep as compiled code. */
export function withUsualFlags<T>(load: () => T): T {
  const before = tuned;
  restoreEngineFlags();
  try {
    return load();
  } finally {
    for (const flag of before) tune(flag);
  }
}
