/**
 * Turns V8's slowest compiler off while a hook answers a prompt. The process ends before that compiler's code has paid for
 * itself, but its threads take a sixth of the processor time, and the process cannot end before they have finished what
 * they are at. The faster compilers stay on. V8 accepts kept code only under the flags with which it was made, so the
 * compiler is off only between the loading of the program and the moment when its code is kept.
 */
import { setFlagsFromString } from "node:v8";

let isOff = false;

export function slowCompilerOff(): void {
  setFlagsFromString("--no-opt");
  isOff = true;
}

/** Does nothing if it is on. */
export function slowCompilerOn(): void {
  if (isOff) setFlagsFromString("--opt");
  isOff = false;
}
