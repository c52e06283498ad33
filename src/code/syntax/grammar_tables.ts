/**
 * Reads a grammar's types, fields and aliases out of the memory of the parser's WebAssembly module. The addresses are
 * those of `TSLanguage` in tree-sitter's `parser.h`, where a pointer has four bytes.
 */
import type { Language as Grammar } from "web-tree-sitter";
import type { NodeNames } from "./tree.ts";

/** The memory of the module. The arrays are replaced when it grows. */
export interface ParserMemory {
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/** Places of the fields of `TSLanguage`, in units of four bytes. */
const LANGUAGE = {
  version: 0,
  symbols: 1,
  aliasSymbols: 2,
  productions: 7,
  fieldCount: 8,
  maxChildren: 9,
  fieldSlices: 16,
  fieldEntries: 17,
  publicSymbols: 19,
  aliases: 21,
} as const;

export interface GrammarTables {
  names: NodeNames;
  /** The type of a node by its symbol: several symbols may be one type. */
  typeOf: Uint16Array;
  /** Fields of the children by the production that made their parent: those of production p begin at p * `maxChildren`. */
  fields: Uint16Array;
  /** Types that children have in place of their own, in the same order; 0: none. */
  aliases: Uint16Array;
  maxChildren: number;
}

export function grammarTables(grammar: Grammar, memory: ParserMemory): GrammarTables {
  const { HEAPU32: words, HEAPU16: halves } = memory;
  const at = addressOf(grammar) >> 2;
  const word = (place: keyof typeof LANGUAGE): number => words[at + LANGUAGE[place]] as number;
  const symbols = word("symbols") + word("aliasSymbols");
  const isKnown =
    word("version") === grammar.abiVersion &&
    symbols === grammar.nodeTypeCount &&
    word("fieldCount") === grammar.fieldCount;
  if (!isKnown) throw new Error("The parser's memory has another layout than dex reads.");
  const productions = word("productions");
  // Only the lower half of the word.
  const maxAliases = word("maxChildren") & 0xffff;
  const typeOf = halves.slice(word("publicSymbols") >> 1, (word("publicSymbols") >> 1) + symbols);
  const entries =
    word("fieldCount") === 0 ? [] : fieldEntries(memory, word("fieldSlices"), word("fieldEntries"), productions);
  const maxChildren = entries.reduce((most, { child }) => Math.max(most, child + 1), maxAliases);
  const fields = new Uint16Array(productions * maxChildren);
  for (const { production, child, field } of entries) {
    // The first field of a child counts.
    fields[production * maxChildren + child] ||= field;
  }
  const aliases = new Uint16Array(productions * maxChildren);
  // Production 0 stands for all nodes without fields and aliases.
  for (let production = 1; production < productions; production += 1) {
    const from = (word("aliases") >> 1) + production * maxAliases;
    aliases.set(halves.subarray(from, from + maxAliases), production * maxChildren);
  }
  return { names: nodeNames(grammar), typeOf, fields, aliases, maxChildren };
}

/** The address of an object of `web-tree-sitter` in the module. */
export function addressOf(object: object): number {
  return (object as { 0: number })[0];
}

function fieldEntries({ HEAPU16: halves }: ParserMemory, slices: number, entries: number, productions: number) {
  const found: { production: number; child: number; field: number }[] = [];
  for (let production = 0; production < productions; production += 1) {
    const slice = (slices >> 1) + production * 2;
    const from = (entries >> 1) + (halves[slice] as number) * 2;
    const end = from + (halves[slice + 1] as number) * 2;
    for (let entry = from; entry < end; entry += 2) {
      // The position of the child, and above it whether the field belongs to a node inside that child.
      const place = halves[entry + 1] as number;
      if (place < 0x100) found.push({ production, child: place, field: halves[entry] as number });
    }
  }
  return found;
}

function nodeNames(grammar: Grammar): NodeNames {
  const { types, fields } = grammar;
  return {
    types,
    named: Uint8Array.from(types, (_, id) => Number(grammar.nodeTypeIsNamed(id))),
    fields: new Map(fields.flatMap((name, id) => (name === null ? [] : [[name, id] as const]))),
  };
}
