/**
 * Sets V8 up for a process that lives for a tenth of a second, while a hook answers a prompt.
 *
 * - Its slowest compiler is off. The process ends before that compiler's code has paid for itself, but its threads take a
 *   sixth of the processor time, and the process cannot end before they have finished what they are at. The faster
 *   compilers stay on.
 * - New objects get more memory at once. Otherwise V8 collects garbage seven times, in threads as well.
 *
 * V8 accepts kept code only under the flags with which it was made, so all of them are as before when code is kept. The
 * same holds for the parts of Node: a part that every answer needs is loaded first.
 */
import { setFlagsFromString } from "node:v8";
import { crc32 } from "node:zlib";

/** Each with the flag that takes it back. */
const NO_SLOW_COMPILER = ["--no-opt", "--opt"] as const;
const MORE_MEMORY = ["--semi-space-growth-factor=8", "--semi-space-growth-factor=2"] as const;
/** The version of V8 whose usual growth factor is known to be 2. */
const KNOWN_V8 = /^13\./;

let back: string[] = [];

export function tuneForOneAnswer(): void {
  const wanted = KNOWN_V8.test(process.versions.v8) ? [NO_SLOW_COMPILER, MORE_MEMORY] : [NO_SLOW_COMPILER];
  crc32("");
  for (const [flag] of wanted) setFlagsFromString(flag);
  back = wanted.map(([, usual]) => usual);
}

/** Does nothing if no flag was set. */
export function tuneBack(): void {
  for (const flag of back) setFlagsFromString(flag);
  back = [];
}
