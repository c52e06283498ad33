/** A project's code in the engine in use, for reading. */
export { openCodeReader } from "../sqlite/code/reader.ts";
