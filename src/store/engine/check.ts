/** Whether a rebuildable database of the engine in use is sound. */
export { checkDatabase, type DatabaseCheck, type RebuildableName } from "../sqlite/check.ts";
