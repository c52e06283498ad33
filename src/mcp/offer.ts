/**
 * The answers of a server that never change while it runs: its greeting and its lists. They need neither a thread nor
 * the protocol library, so a session can begin before those are loaded.
 */
import type { Implementation, ServerCapabilities, Tool } from "@modelcontextprotocol/server";
import type { Toolset } from "../operations/operation.ts";
import { VERSION } from "../version.ts";
import { promptsOf } from "./prompts.ts";
import { resourceTemplatesOf } from "./resources.ts";

/**
 * The protocol revisions whose sessions begin with `initialize`. Importing the library's own list would load all of the
 * library.
 */
export const INITIALIZED_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export interface Offer {
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions: string;
  /** Without `tools/list` where the definitions are not known beforehand. */
  lists: OfferedLists;
}

interface OfferedLists {
  "tools/list"?: { tools: Tool[] };
  "resources/list"?: { resources: [] };
  "resources/templates/list"?: { resourceTemplates: ReturnType<typeof resourceTemplatesOf> };
  "prompts/list"?: { prompts: ReturnType<typeof promptsOf> };
}

export function offerOf(sets: ReadonlySet<Toolset>, instructions: string, tools: Tool[] | undefined): Offer {
  const resourceTemplates = resourceTemplatesOf(sets);
  const prompts = promptsOf(sets);
  return {
    serverInfo: { name: "dex", version: VERSION },
    capabilities: {
      tools: {},
      ...(resourceTemplates.length > 0 ? { resources: {} } : {}),
      ...(prompts.length > 0 ? { prompts: {} } : {}),
    },
    instructions,
    lists: {
      ...(tools === undefined ? {} : { "tools/list": { tools } }),
      // Conversations are found by searching; a list of thousands helps nobody.
      ...(resourceTemplates.length > 0
        ? { "resources/list": { resources: [] }, "resources/templates/list": { resourceTemplates } }
        : {}),
      ...(prompts.length > 0 ? { "prompts/list": { prompts } } : {}),
    },
  };
}
