/** Makes the table of tool definitions, for the build. */
import { TOOLSETS } from "../../operations/operation.ts";
import { toolOperations } from "../../operations/toolsets.ts";
import type { DefinitionTable } from "./definitions.ts";
import { definitionOf } from "./schemas.ts";

export async function makeDefinitionTable(): Promise<DefinitionTable> {
  const operations = await toolOperations(new Set(TOOLSETS));
  return operations.flatMap((operation) =>
    operation.toolset === undefined ? [] : [{ set: operation.toolset, definition: definitionOf(operation, "lines") }],
  );
}
