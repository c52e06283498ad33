/** Conversations, messages and sections of documents as MCP resources, by the addresses that search results show. */
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { DexError } from "../kernel/errors.ts";
import type { Toolset } from "../operations/operation.ts";
import type { Caller } from "../serving/calls/call_runner.ts";
import { cleanLine } from "../text/clean.ts";
import type { Tools } from "./tools/tools.ts";

/** A client adds a resource to its context as a whole. */
const MAX_TOKENS = 20_000;

interface ResourceKind {
  set: Toolset;
  name: string;
  uriTemplate: string;
  description: string;
  /** The verb that reads the resource, and its input for the part of the address behind `dex://<name>/`. */
  verb: string;
  input(address: string): Record<string, unknown>;
}

const KINDS: readonly ResourceKind[] = [
  {
    set: "conversations",
    name: "conversation",
    uriTemplate: "dex://conversation/{id}",
    description: "A past conversation without its tool outputs, by its id or a unique prefix",
    verb: "show",
    input: (id) => ({ ids: [id], format: "stripped", max_tokens: MAX_TOKENS }),
  },
  {
    set: "conversations",
    name: "message",
    uriTemplate: "dex://message/{id}/{index}",
    description: "One message of a past conversation, in full",
    verb: "message",
    input: (address) => ({ address: address.replace("/", "#"), head: MAX_TOKENS }),
  },
  {
    set: "documents",
    name: "section",
    uriTemplate: "dex://section/{address}",
    description: "A section of documentation, by its address: collection:path#section, percent-encoded",
    verb: "docs section",
    input: (document) => ({ document, max_tokens: MAX_TOKENS }),
  },
];

type ResourceTemplate = Pick<ResourceKind, "name" | "uriTemplate" | "description"> & { mimeType: string };

export function resourceTemplatesOf(sets: ReadonlySet<Toolset>): ResourceTemplate[] {
  return KINDS.filter(({ set }) => sets.has(set)).map(({ name, uriTemplate, description }) => ({
    name,
    uriTemplate,
    description,
    mimeType: "text/plain",
  }));
}

export async function readResource(
  tools: Tools,
  sets: ReadonlySet<Toolset>,
  uri: string,
  caller?: Caller,
): Promise<ReadResourceResult> {
  const match = /^dex:\/\/([a-z]+)\/(.+)$/.exec(uri);
  const kind = KINDS.find(({ name, set }) => name === match?.[1] && sets.has(set));
  const address = kind && decoded(match?.[2] ?? "");
  if (!kind || address === undefined) {
    const templates = resourceTemplatesOf(sets).map(({ uriTemplate }) => uriTemplate);
    throw new DexError("unknown_resource", `There is no resource "${cleanLine(uri, 120)}".`, {
      hint: `This server reads ${templates.join(", ")}.`,
    });
  }
  const text = await tools.read(kind.verb, kind.input(address), caller);
  return { contents: [{ uri, mimeType: "text/plain", text }] };
}

function decoded(address: string): string | undefined {
  try {
    return decodeURIComponent(address);
  } catch {
    return undefined;
  }
}
