/**
 * Finds every error in the source by its syntax: each place that creates a `DexError`, and each call of a function that
 * creates one from its arguments. The script fails on a code that it cannot resolve, so the list is complete.
 */
import { type Node, nodesOf, stringValue, unescaped, withTree } from "./typescript.ts";

export interface ErrorCase {
  code: string;
  /** The sentence, with `‹name›` for a value. */
  message: string;
  hint: string;
  exitCode: number;
}

/** Codes made of a prefix and a member of a union type: `model_${kind}`. */
const FAMILIES: Readonly<Record<string, string>> = { model_: "FailureKind" };

/** A function that creates a `DexError` from its arguments. */
interface Factory {
  name: string;
  file: string;
  exported: boolean;
  /** Its codes, if the caller does not pass one. */
  fixed: readonly string[];
  /** The position of the code: the number of the argument, or a property of an argument. */
  code: number | string | undefined;
  message: number | string | undefined;
  hint: number | string | undefined;
  /** Its own texts, for calls that pass none. */
  fallback: Pick<ErrorCase, "message" | "hint" | "exitCode">;
}

interface SourceFile {
  file: string;
  text: string;
}

export async function errorCases(files: readonly SourceFile[]): Promise<ErrorCase[]> {
  const factories: Factory[] = [];
  const cases: ErrorCase[] = [];
  const unions = await unionsIn(files);
  for (const { file, text } of files) {
    if (!text.includes("DexError(")) continue;
    await withTree(text, (root) => {
      for (const node of nodesOf(root)) {
        if (node.type !== "new_expression" || node.childForFieldName("constructor")?.text !== "DexError") continue;
        const made = madeBy(node, file, unions);
        if (Array.isArray(made)) cases.push(...made);
        else factories.push(made);
      }
    });
  }
  for (const { file, text } of files) cases.push(...(await casesOfCalls(file, text, factories)));
  return cases;
}

/** The members of the union types in `FAMILIES`, by the name of the type. */
async function unionsIn(files: readonly SourceFile[]): Promise<Map<string, string[]>> {
  const names = new Set(Object.values(FAMILIES));
  const found = new Map<string, string[]>();
  for (const { text } of files) {
    if (![...names].some((name) => text.includes(`type ${name} `))) continue;
    await withTree(text, (root) => {
      for (const node of nodesOf(root)) {
        const name = node.type === "type_alias_declaration" ? (node.childForFieldName("name")?.text ?? "") : "";
        if (names.has(name))
          found.set(
            name,
            [...nodesOf(node)].flatMap((each) => stringValue(each) ?? []),
          );
      }
    });
  }
  return found;
}

function madeBy(node: Node, file: string, unions: ReadonlyMap<string, string[]>): ErrorCase[] | Factory {
  const [code, message, options] = argumentsOf(node);
  const said = { message: template(message), hint: template(property(options, "hint")), exitCode: exitCode(options) };
  const literals = code ? literalsOf(code) : [];
  if (literals.length > 0) {
    const factory = said.message === "" ? factoryAround(node, file, literals, said) : undefined;
    return factory ?? literals.map((each) => ({ code: each, ...said }));
  }
  // Rethrown with a longer sentence: the code is listed where the error was first created.
  if (code?.type === "member_expression" && code.text.endsWith(".code")) return [];
  if (code?.type === "template_string") {
    const prefix = code.text.slice(1, code.text.indexOf("$"));
    const kinds = unions.get(FAMILIES[prefix] ?? "");
    if (kinds) return kinds.map((kind) => ({ code: prefix + kind, ...said }));
  }
  if (code?.type === "identifier") {
    const factory = factoryAround(node, file, [], said);
    if (factory) return factory;
  }
  throw new Error(`${file}:${node.startPosition.row + 1}: the code of this DexError cannot be listed: ${code?.text}`);
}

/** The function around a `DexError` that takes its code, or else its sentence, as an argument. */
function factoryAround(
  node: Node,
  file: string,
  fixed: readonly string[],
  fallback: Factory["fallback"],
): Factory | undefined {
  const [code, message, options] = argumentsOf(node);
  for (let at = node.parent; at; at = at.parent) {
    const parameters = at.childForFieldName("parameters");
    if (!parameters) continue;
    const places = placesOf(parameters);
    const placeOf = (part: Node | undefined): number | string | undefined => places.get(part?.text ?? "");
    if (placeOf(fixed.length > 0 ? message : code) === undefined) continue;
    const declared = at.type === "arrow_function" ? at.parent : at;
    const name = declared?.childForFieldName("name")?.text;
    if (name === undefined) return undefined;
    return {
      name,
      file,
      exported: declared?.parent?.type === "export_statement",
      fixed,
      code: placeOf(code),
      message: placeOf(message),
      // If options are passed through, the hint is a property of the caller's object.
      hint: placeOf(property(options, "hint")) ?? "hint",
      fallback,
    };
  }
  return undefined;
}

/** Parameters by name: their number, or the property they are taken from in a destructured first parameter. */
function placesOf(parameters: Node): Map<string, number | string> {
  const places = new Map<string, number | string>();
  for (const [i, parameter] of parameters.namedChildren.entries()) {
    const pattern = parameter?.childForFieldName("pattern");
    if (pattern?.type === "identifier") places.set(pattern.text, i);
    if (pattern?.type !== "object_pattern" || i > 0) continue;
    for (const each of pattern.namedChildren) if (each) places.set(each.text, each.text);
  }
  return places;
}

async function casesOfCalls(file: string, text: string, factories: readonly Factory[]): Promise<ErrorCase[]> {
  const near = factories.filter((each) => (each.exported || each.file === file) && text.includes(`${each.name}(`));
  if (near.length === 0) return [];
  return withTree(text, (root) => {
    const cases: ErrorCase[] = [];
    for (const node of nodesOf(root)) {
      const factory =
        node.type === "call_expression" && near.find(({ name }) => name === node.childForFieldName("function")?.text);
      if (!factory) continue;
      const given = argumentsOf(node);
      const at = (place: number | string | undefined): Node | undefined =>
        typeof place === "number" ? given[place] : given.map((each) => property(each, place ?? "")).find(Boolean);
      const code = at(factory.code);
      const literals = code ? literalsOf(code) : factory.fixed;
      // If the code is a variable here, too, the callers of this function name it.
      for (const each of literals) {
        cases.push({
          code: each,
          message: template(at(factory.message)) || factory.fallback.message,
          hint: template(at(factory.hint)) || factory.fallback.hint,
          exitCode: factory.fallback.exitCode,
        });
      }
    }
    return cases;
  });
}

function argumentsOf(node: Node): Node[] {
  const list = node.childForFieldName("arguments");
  return (list?.namedChildren ?? []).filter((each): each is Node => each !== null && each.type !== "comment");
}

/** The strings a code may be: a literal, or either side of a condition. */
function literalsOf(node: Node): string[] {
  if (node.type === "ternary_expression") {
    return ["consequence", "alternative"].flatMap((side) => {
      const part = node.childForFieldName(side);
      return part ? literalsOf(part) : [];
    });
  }
  const value = stringValue(node);
  return value === undefined ? [] : [value];
}

function property(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== "object") return undefined;
  for (const pair of node.namedChildren) {
    if (pair?.type === "pair" && pair.childForFieldName("key")?.text === name) {
      return pair.childForFieldName("value") ?? undefined;
    }
    if (pair?.type === "shorthand_property_identifier" && pair.text === name) return pair;
  }
  return undefined;
}

function exitCode(options: Node | undefined): number {
  return Number(property(options, "exitCode")?.text ?? 2);
}

/** The text of an expression, with `‹name›` for each value; empty if it is not a text. */
function template(node: Node | undefined): string {
  const value = stringValue(node);
  if (value !== undefined) return value;
  switch (node?.type) {
    case "template_string":
      return node.namedChildren.map((part) => (part ? piece(part) : "")).join("");
    case "binary_expression":
      return (
        template(node.childForFieldName("left") ?? undefined) + template(node.childForFieldName("right") ?? undefined)
      );
    case "ternary_expression": {
      // The longer sentence is more informative.
      const sides = ["consequence", "alternative"].map((side) => template(node.childForFieldName(side) ?? undefined));
      return sides.sort((a, b) => b.length - a.length)[0] ?? "";
    }
    case "parenthesized_expression":
      return template(node.namedChildren[0] ?? undefined);
    case "identifier":
    case "shorthand_property_identifier":
      return template(constantAround(node));
    default:
      return "";
  }
}

/** The value of the constant of that name in the blocks around the node. */
function constantAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent) {
    if (at.type !== "statement_block" && at.type !== "program") continue;
    for (const declarator of at.namedChildren.flatMap((each) => each?.namedChildren ?? [])) {
      if (declarator?.type !== "variable_declarator" || declarator.childForFieldName("name")?.text !== node.text)
        continue;
      const value = declarator.childForFieldName("value") ?? undefined;
      // Following a chain of names could loop.
      return value && value.type !== "identifier" ? value : undefined;
    }
  }
  return undefined;
}

function piece(part: Node): string {
  if (part.type === "string_fragment") return part.text.replace(/\s+/g, " ");
  if (part.type === "escape_sequence") return unescaped(part.text);
  const inner = part.namedChildren[0];
  if (!inner || inner.type === "ternary_expression") return "…";
  const text = template(inner);
  if (text !== "") return text;
  const name = nameOf(inner);
  return name === undefined ? "…" : `‹${name}›`;
}

/** A name for a value: the variable behind methods such as `join` and behind formatting functions. */
function nameOf(node: Node | null | undefined): string | undefined {
  switch (node?.type) {
    case "identifier":
      return node.text;
    case "member_expression": {
      const property = node.childForFieldName("property")?.text;
      return property === "length" ? nameOf(node.childForFieldName("object")) : property;
    }
    case "call_expression": {
      const called = node.childForFieldName("function");
      if (called?.type === "member_expression") return nameOf(called.childForFieldName("object"));
      return nameOf(argumentsOf(node)[0]) ?? called?.text;
    }
    case "subscript_expression":
      return nameOf(node.childForFieldName("object"));
    case "binary_expression":
      return nameOf(node.childForFieldName("left"));
    case "parenthesized_expression":
    case "array":
    case "spread_element":
      return nameOf(node.namedChildren[0]);
    default:
      return undefined;
  }
}
