/** Checks a rebuildable database of the engine in use for damage. */
export { checkDatabase, type DatabaseCheck, type RebuildableName } from "../sqlite/check.ts";
