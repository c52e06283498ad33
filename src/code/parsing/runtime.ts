/**
 * Starts tree-sitter's runtime. Its WebAssembly calls back for pieces of the text, and now and then to ask whether to
 * continue. dex answers these calls itself, because the package's own functions copy each character separately and
 * create an object for each call.
 */
import { Parser } from "web-tree-sitter";
import { Instance, Module } from "../../loops/platform.ts";
import type { ParserMemory } from "../syntax/grammar_tables.ts";

/** Some malformed texts take a parser very long. */
const PARSE_TIMEOUT_MS = 5000;
/** The parser asks after every hundred steps; the clock is read for one in this many questions. */
const QUESTIONS_PER_CLOCK = 16;
/** How many UTF-16 units the parser has room for. */
const PIECE_UNITS = 5119;

/** Shared by all parsers of a thread, of which one works at a time. */
export class ParserRuntime implements ParserMemory {
  // The runtime writes the views of its memory to the object that it is started with, also when the memory grows.
  HEAPU8: Uint8Array<ArrayBuffer> = new Uint8Array();
  HEAPU16: Uint16Array = new Uint16Array();
  HEAPU32: Uint32Array = new Uint32Array();
  readonly #code: Uint8Array;
  #bytes = Buffer.alloc(0);
  #text = "";
  #end = 0;
  #questions = 0;

  constructor(code: Uint8Array) {
    this.#code = code;
  }

  static async start(code: Uint8Array): Promise<ParserRuntime> {
    const runtime = new ParserRuntime(code);
    await Parser.init(runtime);
    if (runtime.HEAPU32.length === 0) throw new Error("The parser does not show its memory.");
    return runtime;
  }

  /** Sets the text of the next parse, whose time begins now. */
  begin(text: string): void {
    this.#text = text;
    this.#end = performance.now() + PARSE_TIMEOUT_MS;
  }

  /** Called by the runtime. */
  instantiateWasm(imports: { env: object }, receive: (instance: object, module: object) => void): void {
    const module = new Module(this.#code);
    const env = {
      ...imports.env,
      tree_sitter_parse_callback: (address: number, from: number, _row: number, _column: number, length: number) => {
        this.HEAPU32[length >> 2] = this.#write(address, from);
      },
      tree_sitter_progress_callback: () => this.#isLate(),
    };
    receive(new Instance(module, { ...imports, env }), module);
  }

  #write(address: number, from: number): number {
    if (this.#bytes.buffer !== this.HEAPU8.buffer) this.#bytes = Buffer.from(this.HEAPU8.buffer);
    const piece = this.#text.slice(from, from + PIECE_UNITS);
    this.#bytes.write(piece, address, "utf16le");
    return piece.length;
  }

  #isLate(): boolean {
    this.#questions += 1;
    return this.#questions % QUESTIONS_PER_CLOCK === 0 && performance.now() > this.#end;
  }
}
