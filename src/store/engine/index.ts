/** The index of conversations in the engine in use, for reading. */
export { containerKey, emptyIndex, openIndex } from "../sqlite/index/reader.ts";
