/** The index of conversations in the engine in use, for writing. */
export { openIndexWriter } from "../sqlite/index/writer.ts";
