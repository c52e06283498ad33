/** The tools of the loop. It remembers calls and never runs a repeated one again. */
import { createHash } from "node:crypto";
import { didYouMean } from "../../kernel/did_you_mean.ts";
import { errorMessage } from "../../kernel/errors.ts";
import { asObject, isObject, type Json, type JsonObject, parseJson } from "../../kernel/json.ts";
import type { ToolDefinition } from "../../llm/model.ts";
import type { Passage, Reading } from "../passage.ts";
import { placeName } from "../passage.ts";
import { withoutInjected } from "../quoting/injected.ts";

export interface AskTool extends ToolDefinition {
  /** Throws an error whose message says what is wrong with the arguments. */
  run(input: JsonObject, signal: AbortSignal): Promise<ToolFound>;
}

export interface ToolFound {
  passages: readonly Passage[];
  /** Results that are not passages: lists, outlines. */
  text: string;
}

export interface CallOutcome {
  text: string;
  /** The number of passages, or longer versions of passages, that had not been read before. */
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
      const shown = name.slice(0, 60);
      return failed(`There is no tool "${shown}". ${didYouMean(shown, this.#tools.keys()) ?? ""}`.trimEnd());
    }
    const parsed = given.trim() === "" ? {} : parseJson(given);
    if (!isObject(parsed)) return failed(`The arguments of ${name} are not a JSON object. Send them again.`);
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
      return `[${read.ref}] ${passage.collection}: ${placeName(passage)}${lines}\n${withoutInjected(passage.text).trim()}`;
    });
    const whole = [...parts, ...(text === "" ? [] : [withoutInjected(text)])].join("\n\n");
    // A list is also new information, though it cannot be cited.
    if (text !== "" && passages.length === 0) fresh += 1;
    const found = passages.length;
    return { text: whole === "" ? "Nothing was found." : whole, fresh, found, repeated: false, failed: false };
  }
}

function failed(text: string): CallOutcome {
  return { text, fresh: 0, found: 0, repeated: false, failed: true };
}

/** A key that is equal for calls which differ only in case, spaces, the order of parameters, or empty values. */
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
