/** A project's code in the engine in use, for threads that resolve relations. */
export { openSharedFacts } from "../sqlite/code/facts.ts";
