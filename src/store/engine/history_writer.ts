/** A repository's history in the engine in use, for writing. */
export { openHistoryWriter } from "../sqlite/history/writer.ts";
