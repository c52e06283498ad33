/** The settings that every test shares. */
import { join } from "node:path";

/** Far longer than anything takes on a busy machine: it only ends tests that hang. */
export const HANG_MS: number = 15 * 60_000;

/** Node keeps compiled code here, for the tests and for the programs they start. */
export const COMPILE_CACHE: string = join(import.meta.dirname, "../../node_modules/.cache/dex-tests");
