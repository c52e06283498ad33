/** Matches of the language query as items, one per match, to be processed in the order of the text. */
import type { EntityKind } from "../../../store/code.ts";
import type { Match } from "../../syntax/matcher.ts";
import type { Node } from "../../syntax/tree.ts";

export interface Item {
  tag: string;
  node: Node;
  start: number;
  end: number;
  name?: Node;
  callee?: Node;
  of?: Node;
  receiver?: Node;
}

export const DEFINITIONS: Readonly<Record<string, EntityKind>> = {
  class: "class",
  interface: "interface",
  type: "type",
  module: "module",
  function: "function",
  method: "method",
  constant: "constant",
  test: "test",
};
/** Tags of items that can enclose others. */
const CONTAINERS = new Set([
  ...Object.keys(DEFINITIONS),
  "variable",
  "property",
  "scope",
  "default",
  "extension",
  "detached",
  "class_in_place",
  "member_assignment",
  "checked",
  "case",
]);

export function itemOf(match: Match): Item | undefined {
  let item: Item | undefined;
  let name: Node | undefined;
  let callee: Node | undefined;
  let of: Node | undefined;
  let receiver: Node | undefined;
  for (const capture of match.captures) {
    if (capture.name === "name") name = capture.node;
    else if (capture.name === "callee") callee = capture.node;
    else if (capture.name === "of") of = capture.node;
    else if (capture.name === "receiver") receiver = capture.node;
    else if (capture.name === "required") continue;
    else if (capture.name === "value") item ??= { tag: "return", node: capture.node, start: 0, end: 0 };
    else if (capture.name !== "return") item ??= { tag: capture.name, node: capture.node, start: 0, end: 0 };
  }
  if (!item) return undefined;
  // A list of parameters or fields matches once for each of them.
  if (item.tag === "parameters" && name) item = { tag: "parameter", node: name, start: 0, end: 0 };
  if (item.tag === "reader" && name) item = { tag: "reader", node: name, of: item.node, start: 0, end: 0 };
  item.start = item.node.startIndex;
  item.end = CONTAINERS.has(item.tag) ? item.node.endIndex : item.start;
  return { ...item, name, callee, of: of ?? item.of, receiver };
}

/** Rank of items that start at the same offset: definitions before scopes and parts of them, and all before their content. */
export function rankOf({ tag }: Item): number {
  return tag === "export" || tag === "import"
    ? 0
    : tag in DEFINITIONS || tag === "class_in_place"
      ? 1
      : tag === "scope" || tag === "checked" || tag === "case"
        ? 2
        : 3;
}

/** The type in a receiver: `Store` in `(s *Store[T])`. */
export function receiverType(receiver: Node): string[] {
  return (receiver.text.match(/[\p{L}_][\p{L}\p{N}_]*(?=[^\p{L}_]*(\[.*\])?\)$)/u) ?? []).slice(0, 1);
}

const TEST_CALLS = /^(test|it|describe|suite|bench)(\.(only|skip|todo|each|concurrent|failing))?$/;

/** The title of a test that is a call: `test("title", …)`. */
export function testTitle(call: Node, callee: Node): string | undefined {
  if (!TEST_CALLS.test(callee.text)) return undefined;
  const title = call.childForFieldName("arguments")?.namedChildren[0];
  if (title?.type !== "string" && title?.type !== "template_string") return undefined;
  return title.text.slice(1, -1).replaceAll(/\s+/g, " ");
}

/** Of a longer path, only the end counts. */
const MAX_PATH_CHARS = 2000;

/** The names in `app::List<T>::add`, `Store:put`, without the arguments of templates. */
export function detachedNames(text: string): string[] {
  let plain = text.slice(-MAX_PATH_CHARS);
  for (let last = ""; last !== plain; ) {
    last = plain;
    plain = plain.replace(/<[^<>]*>(?=[^<>]*(?:>|::))/, "");
  }
  return plain.split(/::|[.:]/).map((each) => each.trim());
}
