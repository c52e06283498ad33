/** Writing to a rebuildable database of the engine in use, or replacing it, under its lock. */
export { type LockedDatabase, replaceLocked, writeLocked } from "../sqlite/writing.ts";
