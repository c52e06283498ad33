/**
 * The definitions of tools as the build made them from the operations: a server lists its tools without loading any
 * operation. Run from source, a thread makes them.
 */
import type { Tool } from "@modelcontextprotocol/server";
import type { Toolset } from "../../operations/operation.ts";
import type { StructuredForm } from "./answer.ts";
import { guidanceFor, IMPORTANT } from "./important.ts";

/** In the order of the registry, with the usual structured form. */
export type DefinitionTable = readonly { set: Toolset; definition: Tool }[];

/** A JSON text: as an object, the bundler would evaluate it in every file. */
declare const DEX_TOOL_DEFINITIONS: string | undefined;

/** The tools of these sets. Undefined: only a thread can tell. */
export function knownDefinitions(sets: ReadonlySet<Toolset>, structured: StructuredForm): Tool[] | undefined {
  if (typeof DEX_TOOL_DEFINITIONS !== "string" || structured !== "lines") return undefined;
  const table = JSON.parse(DEX_TOOL_DEFINITIONS) as DefinitionTable;
  const served = table.filter(({ set }) => sets.has(set)).map(({ definition }) => definition);
  return withGuidance(sets, served);
}

/** The tools, and before them the one that explains them. */
export function withGuidance(sets: ReadonlySet<Toolset>, definitions: readonly Tool[]): Tool[] {
  const important: Tool = {
    name: IMPORTANT,
    description: guidanceFor(sets).summary,
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return [important, ...definitions];
}
