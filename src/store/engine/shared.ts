/** A team's index in the engine in use: the cache of what was fetched, and the assembly of new segments. */
export { SegmentAssembly } from "../sqlite/shared/assembly.ts";
export { openCache, type SharedCache } from "../sqlite/shared/cache.ts";
export { checkTables } from "../sqlite/shared/checking.ts";
export { readSharedNotes } from "../sqlite/shared/notes.ts";
export { CHECKED } from "../sqlite/shared/reader.ts";
