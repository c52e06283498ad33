/** Parses TypeScript files with the parser that dex itself uses for code. */
import type { Node } from "web-tree-sitter";
import { loadLanguage } from "../../src/code/languages/registry.ts";
import { loadGrammar } from "../../src/code/parsing/parser.ts";

export type { Node };

/** Calls `visit` with the root of the syntax tree, which is freed afterwards. */
export async function withTree<T>(text: string, visit: (root: Node) => T): Promise<T> {
  const tree = (await loadGrammar(await loadLanguage("typescript"))).parse(text);
  if (tree === undefined) throw new Error("The parser gave up on a file.");
  try {
    return visit(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The node and all its descendants, in text order. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.namedChildren) if (child) yield* nodesOf(child);
}

/** The text of a string literal without its quotes; undefined for any other node. */
export function stringValue(node: Node | null | undefined): string | undefined {
  if (node?.type !== "string") return undefined;
  return node.namedChildren
    .map((part) => (part?.type === "escape_sequence" ? unescaped(part.text) : part?.text))
    .join("");
}

export function unescaped(sequence: string): string {
  return sequence === "\\n" ? " " : sequence.replace(/^\\/, "");
}
