/** A project's code in the engine in use, for writing. */
export { openCodeWriter } from "../sqlite/code/writer.ts";
