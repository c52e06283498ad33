/** The part of a team's index that this home has fetched, in the engine in use; hooks load no more of it. */
export { MACHINE, ME, readCache } from "../sqlite/shared/reader.ts";
