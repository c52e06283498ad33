/** The settings that every test shares. */
import { join } from "node:path";

/** Far longer than anything takes on a busy machine: it only ends tests that hang. */
export const HANG_MS: number = 15 * 60_000;

/** True under `npm run test:long`, which repeats random tests more often, and on larger input, than `npm test`. */
const IS_LONG = process.env.DEX_TEST_LONG === "1";

export function rounds(few: number, many: number): number {
  return IS_LONG ? many : few;
}

/** Node keeps compiled code here, for the tests and for the programs they start. */
export const COMPILE_CACHE: string = join(import.meta.dirname, "../../../node_modules/.cache/dex-tests");

/**
 * Variables of processes that run hundreds of tests or commands. Otherwise the C library keeps large freed blocks and
 * clears them before each reuse, which is a fifth of the processor time of tests that open many stores.
 */
export const PROCESS_VARS: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  MALLOC_MMAP_THRESHOLD_: String(2 << 20),
};
