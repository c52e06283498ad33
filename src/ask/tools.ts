/** Tools as the loop knows them, and a memory of calls: the same thing is never asked twice. */
import { createHash } from "node:crypto";
import { errorMessage } from "../kernel/errors.ts";
import { asObject, isObject, type Json, type JsonObject, parseJson } from "../kernel/json.ts";
import { nearest } from "../kernel/text.ts";
import type { ToolDefinition } from "../llm/model.ts";
import type { Passage, Reading } from "./passage.ts";
import { placeName } from "./passage.ts";

export interface AskTool extends ToolDefinition {
  /** Throws what is wrong with the arguments, as a sentence. */
  run(input: JsonObject, signal: AbortSignal): Promise<ToolFound>;
}

export interface ToolFound {
  passages: readonly Passage[];
  /** What is no passage: lists, outlines. */
  text: string;
}

export interface CallOutcome {
  text: string;
  /** Passages, or words of them, that were not read before. */
  fresh: number;
  found: number;
  repeated: boolean;
  failed: boolean;
}

export class Toolbox {
  readonly #tools: ReadonlyMap<string, AskTool>;
  readonly #reading: Reading;
  readonly #answers = new Map<string, string>();

  constructor(tools: readonly AskTool[], reading: Reading) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#reading = reading;
  }

  async call(name: string, given: string, signal: AbortSignal): Promise<CallOutcome> {
    const tool = this.#tools.get(name);
    if (!tool) {
      const meant = nearest(name.slice(0, 60), this.#tools.keys());
      return failed(`There is no tool "${name.slice(0, 60)}".${meant ? ` Did you mean ${meant}?` : ""}`);
    }
    const parsed = given.trim() === "" ? {} : parseJson(given);
    if (!isObject(parsed)) return failed(`The arguments of ${name} are no JSON object. Send them again.`);
    const key = callKey(name, parsed);
    const before = this.#answers.get(key);
    if (before !== undefined) {
      return { text: before, fresh: 0, found: 0, repeated: true, failed: false };
    }
    try {
      const outcome = this.#read(await tool.run(parsed, signal));
      this.#answers.set(key, outcome.text);
      return outcome;
    } catch (error) {
      if (signal.aborted) throw error;
      return failed(errorMessage(error));
    }
  }

  #read({ passages, text }: ToolFound): CallOutcome {
    let fresh = 0;
    const parts = passages.map((passage) => {
      const { read, isNew } = this.#reading.add(passage);
      if (isNew) fresh += 1;
      const lines = passage.lines ? ` (lines ${passage.lines[0]}-${passage.lines[1]})` : "";
      return `[${read.ref}] ${passage.collection}: ${placeName(passage)}${lines}\n${passage.text.trim()}`;
    });
    const whole = [...parts, ...(text === "" ? [] : [text])].join("\n\n");
    // A list says something new, too, though nothing that can be cited.
    if (text !== "" && passages.length === 0) fresh += 1;
    const found = passages.length;
    return { text: whole === "" ? "Nothing was found." : whole, fresh, found, repeated: false, failed: false };
  }
}

function failed(text: string): CallOutcome {
  return { text, fresh: 0, found: 0, repeated: false, failed: true };
}

/** The same for calls that differ only in case, spaces, the order of names, or what is empty. */
export function callKey(name: string, input: JsonObject): string {
  return createHash("sha256")
    .update(`${name}\0${JSON.stringify(normal(input))}`)
    .digest("hex");
}

function normal(value: Json | undefined): Json {
  if (typeof value === "string") return value.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return value.map(normal);
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(asObject(value)).filter(
    ([, held]) => held !== null && held !== undefined && held !== "",
  );
  return Object.fromEntries(
    entries.map(([key, held]): [string, Json] => [key, normal(held)]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
