/**
 * The verbs that are MCP tools, and the set of each. The build computes this table once, so a server loads only the
 * operations of the sets it serves. Run from source, dex loads all operations to compute it.
 */
import type { Operation, Toolset } from "./operation.ts";
import { OPERATIONS } from "./registry.ts";

export type ToolVerbs = Readonly<Record<string, Toolset>>;

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_TOOL_VERBS: string | undefined;

/** The operations of the given sets, in the order of the registry. */
export async function toolOperations(sets: ReadonlySet<Toolset>): Promise<Operation[]> {
  const verbs = Object.entries(await toolVerbs()).filter(([, set]) => sets.has(set));
  return Promise.all(verbs.map(([verb]) => load(verb)));
}

/** The set that contains a tool of this name, whether the set is served or not. */
export async function toolsetOf(name: string): Promise<Toolset | undefined> {
  const operations = await Promise.all(Object.keys(await toolVerbs()).map(load));
  return operations.find((operation) => operation.name === name)?.toolset;
}

async function toolVerbs(): Promise<ToolVerbs> {
  return typeof DEX_TOOL_VERBS === "string" ? (JSON.parse(DEX_TOOL_VERBS) as ToolVerbs) : findToolVerbs();
}

export async function findToolVerbs(): Promise<ToolVerbs> {
  const found: Record<string, Toolset> = {};
  for (const verb of Object.keys(OPERATIONS)) {
    const { toolset } = await load(verb);
    if (toolset) found[verb] = toolset;
  }
  return found;
}

function load(verb: string): Promise<Operation> {
  const loader = OPERATIONS[verb];
  if (!loader) throw new Error(`no operation ${verb}`);
  return loader();
}
