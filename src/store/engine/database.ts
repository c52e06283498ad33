/** The engine in use, for any of its files: whether an error means damage, and removing a database. */
export { isCorruption, removeDatabase, rootOfDatabase } from "../sqlite/database.ts";
export type { DatabaseState } from "../sqlite/rebuildable.ts";
