/** The index of conversations in the engine in use, for reading. */
export { containerKey } from "../sqlite/index/containers.ts";
export { emptyIndex, openIndex } from "../sqlite/index/reader.ts";
