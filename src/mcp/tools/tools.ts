/**
 * Operations as tools: their definitions, and calls by name. A failed call returns an error result; an unknown tool is
 * an error of the protocol.
 */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { withoutAliases } from "../../operations/aliases.ts";
import type { Operation, Toolset } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/registry.ts";
import { errorForPrograms } from "../../operations/shared/for_programs.ts";
import { type OfferedTool, offeredTools, toolsetOf } from "../../operations/toolsets.ts";
import type { Caller, CallRunner } from "../../serving/calls/call_runner.ts";
import { cleanLine } from "../../text/clean.ts";
import { answer, answerText, failure, type StructuredForm, withinBudget } from "./answer.ts";
import { argumentError } from "./arguments.ts";
import { withGuidance } from "./definitions.ts";
import { guidanceFor, IMPORTANT } from "./important.ts";
import { withNearTypes, withoutBlanks } from "./near_types.ts";
import { definitionOf, inputSchema } from "./schemas.ts";

export interface Tools {
  definitions(): Promise<Tool[]>;
  call(name: string, input: unknown, caller?: Caller): Promise<CallToolResult>;
  /** The text of a verb's answer, for resources and prompts. */
  read(verb: string, input: Record<string, unknown>, caller?: Caller): Promise<string>;
}

export async function makeTools(
  sets: ReadonlySet<Toolset>,
  runner: CallRunner,
  structured: StructuredForm,
): Promise<Tools> {
  const tools = toolsOf(await offeredTools(sets), runner, structured);
  const guidance = guidanceFor(sets);
  return {
    ...tools,
    definitions: async () => withGuidance(sets, await tools.definitions()),
    call: async (name, input, caller) => {
      if (name === IMPORTANT) return { content: [{ type: "text", text: guidance.guide }] };
      return tools.call(name, input, caller);
    },
  };
}

/** Serves exactly these tools. A call loads only its own operation. */
export function toolsOf(served: readonly OfferedTool[], runner: CallRunner, structured: StructuredForm): Tools {
  const operations = new Map(served.map((tool) => [tool.name, tool]));
  const names = new Map(served.map(({ verb, name }) => [verb, name]));
  return {
    definitions: () => Promise.all(served.map(async (tool) => definitionOf(await tool.load(), structured))),
    call: async (name, input, caller) => {
      const operation = await operations.get(name)?.load();
      if (!operation) throw await unknownTool(name, [...operations.keys()]);
      try {
        const given = inSession(checked(operation, input), caller?.session);
        const run = async (fitted: typeof given): Promise<CallToolResult> =>
          answer(operation, await runner.run(operation, fitted, caller), { names, now: Date.now(), structured });
        return await (structured === "lines" ? withinBudget(operation, given, run) : run(given));
      } catch (error) {
        caller?.signal?.throwIfAborted();
        return failure(error, names);
      }
    },
    read: async (verb, input, caller) => {
      const operation = await OPERATIONS[verb]?.();
      if (!operation) throw new Error(`no operation ${verb}`);
      try {
        const found = await runner.run(operation, checked(operation, input), caller);
        return await answerText(operation, found, { names, now: Date.now() });
      } catch (error) {
        throw error instanceof DexError ? errorForPrograms(error, names) : error;
      }
    },
  };
}

/** `current` means the conversation that the caller named; without one, the conversation that started the server. */
function inSession(input: Record<string, unknown>, session: string | undefined): Record<string, unknown> {
  return session !== undefined && input.session === "current" ? { ...input, session } : input;
}

function checked(operation: Operation, input: unknown): Record<string, unknown> {
  const given = withoutBlanks(withoutAliases(operation, input ?? {}), operation.input);
  const parsed = operation.input.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const near = withNearTypes(given, parsed.error);
  const again = near && operation.input.safeParse(near, { reportInput: true });
  if (again?.success) return again.data;
  throw argumentError(operation.name, inputSchema(operation), again?.error ?? parsed.error);
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
