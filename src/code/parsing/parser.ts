/** Tree-sitter: the runtime and each grammar are loaded for the first file that needs them. */
import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { Language as Grammar, Parser, type Tree } from "web-tree-sitter";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import type { Language } from "../languages/language.ts";
import { flatten } from "../syntax/flatten.ts";
import { grammarTables } from "../syntax/grammar_tables.ts";
import { type PatternTable, readPatterns } from "../syntax/patterns.ts";
import { SyntaxTree } from "../syntax/tree.ts";
import { COMPRESSED, grammarPath, runtimePath } from "./locate.ts";
import { ParserRuntime } from "./runtime.ts";

export interface LoadedLanguage {
  language: Language;
  patterns: PatternTable;
  /** Undefined after a timeout. The caller deletes the tree. */
  parse(text: string): Tree | undefined;
  /** The tree stays valid until the next call. Undefined after a timeout. */
  read(text: string): { tree: SyntaxTree; isBroken: boolean } | undefined;
}

let runtime: Promise<ParserRuntime> | undefined;
const loaded = new Map<string, Promise<LoadedLanguage>>();

/** Decompressing takes 0.5 to 12 ms, less than compiling the same grammar does, so nothing is kept. */
function readGrammar(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith(COMPRESSED) ? zstdDecompressSync(bytes) : bytes;
}

export function loadGrammar(language: Language): Promise<LoadedLanguage> {
  const known = loaded.get(language.name);
  if (known) return known;
  const loading = load(language);
  loaded.set(language.name, loading);
  return loading;
}

async function load(language: Language): Promise<LoadedLanguage> {
  let memory: ParserRuntime;
  try {
    runtime ??= ParserRuntime.start(readFileSync(runtimePath()));
    memory = await runtime;
  } catch (error) {
    throw new DexError("no_parser", `The parser cannot be loaded: ${errorMessage(error)}`, {
      hint: "Reinstall dex.",
      cause: error,
    });
  }
  const path = grammarPath(language.grammar);
  let grammar: Grammar;
  try {
    grammar = await Grammar.load(readGrammar(path));
  } catch (error) {
    throw new DexError("no_grammar", `dex cannot load the grammar of ${language.name}: ${errorMessage(error)}`, {
      hint: "Reinstall dex.",
      cause: error,
    });
  }
  const parser = new Parser();
  parser.setLanguage(grammar);
  const parse = (text: string): Tree | undefined => {
    memory.begin(text);
    const tree = parser.parse(text);
    if (tree) return tree;
    parser.reset();
    return undefined;
  };
  const tables = grammarTables(grammar, memory);
  const tree = new SyntaxTree(tables.names);
  return {
    language,
    patterns: readPatterns(language.query, tables.names),
    parse,
    read: (text) => {
      const parsed = parse(text);
      if (!parsed) return undefined;
      try {
        flatten(memory, tables, parsed, text, tree);
        return { tree, isBroken: parsed.rootNode.hasError };
      } finally {
        parsed.delete();
      }
    },
  };
}
