/**
 * Reads a parsed tree into flat arrays. It calls the functions of the parser's WebAssembly module directly: the cursor of
 * `web-tree-sitter` copies its state in and out of the module around each of them, which takes twice as long.
 */
import type { Language as Grammar, Tree } from "web-tree-sitter";
import type { NodeNames, SyntaxTree } from "./tree.ts";

type OfTree = (tree: number) => number;

/** Functions of the module. `open` makes a cursor of the node that `root` leaves in the module's transfer buffer. */
const CURSOR_CALLS = {
  root: "_ts_tree_root_node_wasm",
  open: "_ts_tree_cursor_new_wasm",
  close: "_ts_tree_cursor_delete_wasm",
  firstChild: "_ts_tree_cursor_goto_first_child_wasm",
  nextSibling: "_ts_tree_cursor_goto_next_sibling_wasm",
  parent: "_ts_tree_cursor_goto_parent_wasm",
  type: "_ts_tree_cursor_current_node_type_id_wasm",
  field: "_ts_tree_cursor_current_field_id_wasm",
  start: "_ts_tree_cursor_start_index_wasm",
  end: "_ts_tree_cursor_end_index_wasm",
} as const;

export type CursorCalls = Readonly<Record<keyof typeof CURSOR_CALLS, OfTree>>;

/** `module` is the object that the runtime was started with: it holds the module's functions. */
export function cursorCalls(module: object): CursorCalls {
  const found = Object.entries(CURSOR_CALLS).map(([name, call]): [string, OfTree] => {
    const known: unknown = Reflect.get(module, call);
    if (typeof known !== "function") throw new Error(`The parser has no function ${call}.`);
    return [name, known as OfTree];
  });
  return Object.fromEntries(found) as CursorCalls;
}

export function nodeNames(grammar: Grammar): NodeNames {
  const { types, fields } = grammar;
  return {
    types,
    named: Uint8Array.from(types, (_, id) => Number(grammar.nodeTypeIsNamed(id))),
    fields: new Map(fields.flatMap((name, id) => (name === null ? [] : [[name, id] as const]))),
  };
}

export function flatten(calls: CursorCalls, parsed: Tree, text: string, into: SyntaxTree): void {
  // Its address in the module.
  const tree = (parsed as unknown as { 0: number })[0];
  into.reset(text);
  calls.root(tree);
  calls.open(tree);
  let parent = -1;
  for (let done = false; !done; ) {
    into.reserve();
    const at = into.size;
    into.types[at] = calls.type(tree);
    into.fields[at] = calls.field(tree);
    into.starts[at] = calls.start(tree);
    into.ends[at] = calls.end(tree);
    into.parents[at] = parent;
    into.size = at + 1;
    if (calls.firstChild(tree) !== 0) {
      parent = at;
      continue;
    }
    into.nexts[at] = at + 1;
    while (calls.nextSibling(tree) === 0) {
      done = calls.parent(tree) === 0;
      if (done) break;
      into.nexts[parent] = into.size;
      parent = into.parents[parent] as number;
    }
  }
  calls.close(tree);
}
