/** The index of conversations in the engine in use, for reading. */
export { containerKey } from "../sqlite/index/containers.ts";
export { openIndex } from "../sqlite/index/opened_index.ts";
export { emptyIndex } from "../sqlite/index/reader.ts";
