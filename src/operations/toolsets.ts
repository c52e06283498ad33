/**
 * The verbs that are MCP tools, and the set of each. The build computes this table once, so a server loads only the
 * operations of the sets it serves. Run from source, dex loads all operations to compute it.
 */
import type { Operation, Toolset } from "./operation.ts";
import { OPERATIONS } from "./registry.ts";

/** By verb, in the order of the registry. */
export type ToolVerbs = Readonly<Record<string, { set: Toolset; name: string }>>;

/** A tool whose operation is loaded when it is needed. */
export interface OfferedTool {
  verb: string;
  name: string;
  load(): Promise<Operation>;
}

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_TOOL_VERBS: string | undefined;

/** The tools of the given sets, in the order of the registry. */
export async function offeredTools(sets: ReadonlySet<Toolset>): Promise<OfferedTool[]> {
  const verbs = Object.entries(await toolVerbs()).filter(([, { set }]) => sets.has(set));
  return verbs.map(([verb, { name }]) => ({ verb, name, load: () => load(verb) }));
}

export async function toolOperations(sets: ReadonlySet<Toolset>): Promise<Operation[]> {
  return Promise.all((await offeredTools(sets)).map((tool) => tool.load()));
}

/** The set that contains a tool of this name, whether the set is served or not. */
export async function toolsetOf(name: string): Promise<Toolset | undefined> {
  return Object.values(await toolVerbs()).find((tool) => tool.name === name)?.set;
}

async function toolVerbs(): Promise<ToolVerbs> {
  return typeof DEX_TOOL_VERBS === "string" ? (JSON.parse(DEX_TOOL_VERBS) as ToolVerbs) : findToolVerbs();
}

export async function findToolVerbs(): Promise<ToolVerbs> {
  const found: Record<string, { set: Toolset; name: string }> = {};
  for (const verb of Object.keys(OPERATIONS)) {
    const { toolset, name } = await load(verb);
    if (toolset) found[verb] = { set: toolset, name };
  }
  return found;
}

function load(verb: string): Promise<Operation> {
  const loader = OPERATIONS[verb];
  if (!loader) throw new Error(`no operation ${verb}`);
  return loader();
}
