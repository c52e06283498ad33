/**
 * Which verbs are tools, and of which set. The build works it out once, so that a server loads only the operations of
 * the sets it was asked for; run from source, all of them are loaded to ask.
 */
import type { Operation, Toolset } from "./operation.ts";
import { OPERATIONS } from "./registry.ts";

export type ToolVerbs = Readonly<Record<string, Toolset>>;

declare const DEX_TOOL_VERBS: ToolVerbs | undefined;

/** The operations of some sets, in the order of the registry. */
export async function toolOperations(sets: ReadonlySet<Toolset>): Promise<Operation[]> {
  const verbs = Object.entries(await toolVerbs()).filter(([, set]) => sets.has(set));
  return Promise.all(verbs.map(([verb]) => load(verb)));
}

/** The set that has a tool of this name, whether it is served or not. */
export async function toolsetOf(name: string): Promise<Toolset | undefined> {
  const operations = await Promise.all(Object.keys(await toolVerbs()).map(load));
  return operations.find((operation) => operation.name === name)?.toolset;
}

async function toolVerbs(): Promise<ToolVerbs> {
  return typeof DEX_TOOL_VERBS === "object" ? DEX_TOOL_VERBS : findToolVerbs();
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
