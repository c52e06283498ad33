/** A repository's history in the engine in use, for reading. */
export { openHistory } from "../sqlite/history/reader.ts";
