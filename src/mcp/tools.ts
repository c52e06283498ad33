/**
 * Operations as tools: their definitions, and calls by name. A failed call returns an error result; an unknown tool is
 * an error of the protocol.
 */

import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { LibraryScope } from "../collections/library.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import type { Operation, Toolset } from "../operations/operation.ts";
import { toolOperations, toolsetOf } from "../operations/toolsets.ts";
import { type Caller, CallRunner } from "../serving/call_runner.ts";
import { cleanLine } from "../text/clean.ts";
import { answer, failure } from "./answer.ts";
import { argumentError } from "./arguments.ts";
import { guidanceFor, IMPORTANT } from "./important.ts";
import { inputSchema, outputSchema } from "./schemas.ts";

export interface Tools {
  definitions: Tool[];
  call(name: string, input: unknown, caller?: Caller): Promise<CallToolResult>;
  close(): void;
}

export async function makeTools(
  vars: NodeJS.ProcessEnv,
  sets: ReadonlySet<Toolset>,
  scope: LibraryScope = {},
): Promise<Tools> {
  const tools = toolsOf(await toolOperations(sets), new CallRunner(vars, scope));
  const guidance = guidanceFor(sets);
  return {
    ...tools,
    definitions: [important(guidance.summary), ...tools.definitions],
    call: async (name, input, caller) => {
      if (name === IMPORTANT) return { content: [{ type: "text", text: guidance.guide }] };
      return tools.call(name, input, caller);
    },
  };
}

/** Serves exactly these operations. */
export function toolsOf(served: readonly Operation[], runner: CallRunner): Tools {
  const operations = new Map(served.map((operation) => [operation.name, operation]));
  const names = new Map(served.map(({ verb, name }) => [verb, name]));
  return {
    definitions: served.map(definitionOf),
    call: async (name, input, caller) => {
      const operation = operations.get(name);
      if (!operation) throw await unknownTool(name, [...operations.keys()]);
      try {
        const found = await runner.run(operation, inSession(checked(operation, input), caller?.session), caller);
        return await answer(operation, found, names, Date.now());
      } catch (error) {
        return failure(error, names);
      }
    },
    close: () => runner.close(),
  };
}

/** `current` means the conversation that the caller named; without one, the conversation that started the server. */
function inSession(input: Record<string, unknown>, session: string | undefined): Record<string, unknown> {
  return session !== undefined && input.session === "current" ? { ...input, session } : input;
}

function checked(operation: Operation, input: unknown): Record<string, unknown> {
  const parsed = operation.input.safeParse(input ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw argumentError(operation.name, inputSchema(operation), parsed.error);
}

function important(description: string): Tool {
  return {
    name: IMPORTANT,
    description,
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

function definitionOf(operation: Operation): Tool {
  const { name, summary, readOnly, idempotent } = operation;
  return {
    name,
    description: summary,
    inputSchema: inputSchema(operation),
    outputSchema: outputSchema(operation),
    annotations: readOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { destructiveHint: false, idempotentHint: idempotent, openWorldHint: false },
  };
}

async function unknownTool(name: string, names: readonly string[]): Promise<DexError> {
  const set = await toolsetOf(name);
  if (set !== undefined) {
    return new DexError("unknown_tool", `This server does not serve ${name}, which is in the tool set "${set}".`, {
      hint: `\`dex serve${set === "conversations" ? "" : ` --tools conversations,${set}`}\` serves it. Served here: ${names.join(", ")}.`,
    });
  }
  const sentence = `There is no tool "${cleanLine(name, 60)}".`;
  const list = `The tools are ${names.join(", ")}.`;
  return unknownName({ code: "unknown_tool", sentence, typed: name.slice(0, 60), names, hint: list });
}
