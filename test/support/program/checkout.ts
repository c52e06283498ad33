/** The checkout that the tests run in. */
import { join } from "node:path";

export const CHECKOUT: string = join(import.meta.dirname, "../../..");
