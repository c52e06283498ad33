/**
 * Starts tree-sitter's runtime and gives it the texts. Its own function for that writes each character through a view that
 * suits every byte order, which takes 4% of parsing.
 */
import { Parser } from "web-tree-sitter";
import { Instance, Module } from "../../loops/platform.ts";
import type { ParserMemory } from "../syntax/grammar_tables.ts";

export interface Runtime extends ParserMemory {
  /** The text that is parsed next. */
  text: string;
}

/** The runtime's buffer for a part of the text has 10 KB; its own function leaves room for a zero at the end. */
const MAX_PART_CHARS = 5 * 1024 - 1;

type Receive = (instance: object, compiled: object) => void;

/** The object that the runtime is started with gets the views of its memory, and new ones when that grows. */
export async function startRuntime(code: Uint8Array): Promise<Runtime> {
  const module = {
    text: "",
    instantiateWasm: (imports: Record<string, object>, receive: Receive) => {
      const compiled = new Module(code);
      const env = { ...imports.env, tree_sitter_parse_callback: give };
      receive(new Instance(compiled, { ...imports, env }), compiled);
      return {};
    },
  };
  const give = (buffer: number, from: number, _row: number, _column: number, length: number): void => {
    const { HEAPU16, HEAPU32, text } = module as unknown as Runtime;
    const count = Math.max(0, Math.min(MAX_PART_CHARS, text.length - from));
    const at = buffer >> 1;
    for (let i = 0; i < count; i += 1) HEAPU16[at + i] = text.charCodeAt(from + i);
    HEAPU32[length >> 2] = count;
  };
  await Parser.init(module);
  if (!("HEAPU16" in module && "HEAPU32" in module)) throw new Error("The parser does not show its memory.");
  return module as typeof module & Runtime;
}
