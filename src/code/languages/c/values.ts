/** C++: values of forms that other languages do not have, and results of the standard library. */
import { type Expression, listOf, TAG, tupleOf } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import type { PatternPart, ValueReaders } from "../language.ts";

const CAST = /^(?:static|dynamic|reinterpret|const)_(?:pointer_)?cast$/;
/** Functions of templates whose result is, or holds, the type that they are given. */
const MAKES = /^(?:make_(?:unique|shared|optional)(?:_for_overwrite)?|allocate_shared|any_cast|get_if|bit_cast)$/;
const SAME =
  /^(?:move|forward|as_const|exchange|addressof|ref|cref|max|min|clamp|next|prev|find(?:_if(?:_not)?)?|(?:max|min)_element|lower_bound|upper_bound|partition|unique|remove_if|reverse|make_move_iterator)$/;
const TUPLE = /^(?:make_(?:pair|tuple)|tie|forward_as_tuple)$/;
const FIRST_ELEMENT = /^c?r?(?:begin|end)$/;
/** Algorithms that call a function with elements of the range that they are given first. */
const EACH =
  /^(?:for_each(?:_n)?|transform|find_if(?:_not)?|(?:any|all|none)_of|count_if|remove_if|copy_if|partition|stable_partition|partition_point|generate|replace_if|(?:stable_|partial_)?sort|nth_element|(?:max|min|minmax)_element|adjacent_find|unique|is_sorted|is_partitioned|erase_if|make_heap|push_heap|pop_heap)$/;
const FOLDS = /^(?:accumulate|reduce)$/;
const MAX_PARTS = 12;

interface Callee {
  name: string;
  /** The arguments of the template. */
  types: readonly Node[];
  isRanges: boolean;
}

/** The function that a call names: `std::make_unique<Item>`. */
function calleeOf(call: Node): Callee | undefined {
  let at = call.childForFieldName("function");
  // A name alone is most often a function of the project.
  if (at?.type !== "qualified_identifier" && at?.type !== "template_function") return undefined;
  let isRanges = false;
  for (let step = 0; at?.type === "qualified_identifier" && step < MAX_PARTS; step += 1) {
    isRanges ||= /^(?:ranges|views)$/.test(at.childForFieldName("scope")?.text ?? "");
    at = at.childForFieldName("name");
  }
  if (at?.type === "identifier") return { name: at.text, types: [], isRanges };
  if (at?.type !== "template_function") return undefined;
  const types = at.childForFieldName("arguments")?.namedChildren ?? [];
  return { name: at.childForFieldName("name")?.text ?? "", types, isRanges };
}

/** Undefined for other calls; the project may define a function of the same name. */
export function cppLibraryCall(call: Node, { value, type, called }: ValueReaders): Expression | undefined {
  const callee = calleeOf(call);
  if (!callee) return undefined;
  const { name, types, isRanges } = callee;
  const [stated] = types;
  const given = call.childForFieldName("arguments")?.namedChildren ?? [];
  const [first] = given;
  if (stated && (CAST.test(name) || MAKES.test(name))) return type(stated);
  if (stated && name === "get") {
    const of = stated.type === "number_literal" && first ? value(first) : undefined;
    return of ? [TAG.elementAt, of, Number(stated.text)] : stated.type === "number_literal" ? undefined : type(stated);
  }
  if (!first) return undefined;
  if (TUPLE.test(name)) return tupleOf(given.slice(0, MAX_PARTS).map((each) => value(each) ?? null));
  if (FIRST_ELEMENT.test(name)) return elementOf(value(first));
  if (name === "async") return called(given.find(({ type: kind }) => kind === "lambda_expression") ?? first);
  if (!SAME.test(name)) return undefined;
  const of = value(first);
  return isRanges && name !== "reverse" ? elementOf(of) : of;
}

/** The value that an algorithm passes to a function whose parameters have no stated types. */
export function cppLambdaParameter(fn: Node, index: number, { value }: ValueReaders): Expression | undefined {
  const call = fn.parent?.type === "argument_list" ? fn.parent.parent : null;
  const callee = call?.type === "call_expression" ? calleeOf(call) : undefined;
  const first = call?.childForFieldName("arguments")?.namedChildren[0];
  if (!callee || !first || first.id === fn.id) return undefined;
  const takes = FOLDS.test(callee.name)
    ? index === 1
    : EACH.test(callee.name) && !(callee.name === "transform" && index > 0);
  if (!takes) return undefined;
  const of = value(first);
  // An iterator stands for its element.
  return callee.isRanges || callee.name === "erase_if" ? elementOf(of) : of;
}

export function readCppForm(node: Node, { value, type }: ValueReaders): Expression | undefined {
  switch (node.type) {
    case "cast_expression": {
      const stated = node.childForFieldName("type");
      return stated ? type(stated) : undefined;
    }
    case "binary_expression":
      return computed(node, value);
    case "compound_literal_expression": {
      const stated = node.childForFieldName("type");
      return stated ? type(stated) : undefined;
    }
    case "initializer_list":
      return listed(node, value);
    default:
      return undefined;
  }
}

/** An operator calls a method of its left side; a number that is added to a pointer leads to another element. */
function computed(node: Node, value: ValueReaders["value"]): Expression | undefined {
  const operator = node.childForFieldName("operator")?.text ?? "";
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (!left || !right || !/^(?:[-+*/%|&^]|<<|>>)$/.test(operator)) return NOTHING;
  const of = value(left);
  if (!of || of[0] === TAG.freeName) return NOTHING;
  return /^[-+]$/.test(operator) && right.type === "number_literal"
    ? of
    : [TAG.call, [TAG.member, of, `operator${operator}`]];
}

/** A list if its elements are alike. */
function listed(node: Node, value: ValueReaders["value"]): Expression | undefined {
  const values = node.namedChildren.slice(0, MAX_PARTS).map((each) => value(each));
  const [first] = values;
  const key = JSON.stringify(first);
  return first && first[0] !== TAG.freeName && values.every((each) => JSON.stringify(each) === key)
    ? listOf(first)
    : undefined;
}

/** `auto [a, b] = pair`: the parts of a value, by their places. */
export function readCppPattern(node: Node): PatternPart[] | undefined {
  if (node.type !== "structured_binding_declarator") return undefined;
  return node.namedChildren.map((pattern, at) => ({
    pattern,
    value: (whole) => whole && [TAG.elementAt, whole, at],
  }));
}

/** `auto run() -> Item`, `[]() -> Item { … }`. */
export function trailingType(fn: Node): Node | null {
  const declarator = fn.childForFieldName("declarator");
  const inner = /^(?:reference|pointer)_declarator$/.test(declarator?.type ?? "")
    ? (declarator?.namedChildren.at(-1) ?? null)
    : declarator;
  return inner?.namedChildren.find(({ type }) => type === "trailing_return_type")?.namedChildren[0] ?? null;
}

/** `std::function<Item(int)>` is a function. */
export function readCppType(node: Node, read: (part: Node) => Expression | undefined): Expression | undefined {
  if (node.type !== "template_type" || node.childForFieldName("name")?.text !== "function") return undefined;
  const [stated] = node.childForFieldName("arguments")?.namedChildren ?? [];
  const declarator = stated?.childForFieldName("declarator");
  if (!stated || !/function_declarator|pointer_declarator|reference_declarator/.test(declarator?.type ?? ""))
    return undefined;
  const result = stated.childForFieldName("type");
  return [TAG.functionType, [], (result && read(result)) ?? null, null];
}

/** A value of no type of the project. */
const NOTHING: Expression = [TAG.freeName, "?"];

function elementOf(whole: Expression | undefined): Expression | undefined {
  return whole && [TAG.element, whole];
}
