/** Binds the names of type parameters to the types they stand for. */
import { ARGUMENT, type Expression, OWN_PARAMETERS, OWN_PARAMETERS_STEP, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

const MAX_BOUNDS = 6;
const MAX_STEPS = 24;

export class TypeParameters {
  readonly #file: OpenFile;
  /** Bounds of type parameters where a type is implemented, by the names of the type and the parameter. */
  readonly #bounds = new Map<string, (() => Expression[])[]>();

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** TypeScript: the name is visible in the whole condition, although a function type may be around it. */
  #bindInferred(infer: Node, name: string): void {
    const end = conditionAround(infer)?.endIndex ?? Number.POSITIVE_INFINITY;
    const scope = this.#file.stack.findLast((frame) => frame.end >= end)?.scope;
    // One name for several parts stands for none of them.
    const isSecond = scope?.typeMeaning(name) !== undefined;
    scope?.bindType(name, () => (isSecond ? undefined : this.#file.expressions.shapes?.inferred(infer, scope)));
  }

  /** A type parameter stands for the type that bounds it: `T extends Base`, `T: Trait`; of several, for one of the project. */
  bind(node: Node): void {
    const { scope } = this.#file.frame;
    const parent = node.parent;
    const bound =
      parent?.childForFieldName("bounds") ??
      parent?.childForFieldName("constraint") ??
      parent?.namedChildren.find(({ type }) => type === "type_bound") ??
      parent?.namedChildren.find(({ type }) => type === "default_type");
    if (parent?.type === "infer_type") {
      this.#bindInferred(parent, node.text);
      return;
    }
    const [list, holder] = [parent?.parent, parent?.parent?.parent];
    if (holder?.type === "type_item") {
      // Stands for the argument that the alias is given.
      const at = typeParameters(list).findIndex(({ id }) => id === parent?.id);
      scope.bindType(node.text, () => [TAG.freeName, `${ARGUMENT}${at}`]);
      return;
    }
    // The bound may be stated in front and again in a `where` clause.
    if (parent?.type === "where_predicate" && !bound) return;
    const before = parent?.type === "where_predicate" ? scope.typeMeaning(node.text) : undefined;
    const key = `${this.#file.facts.entities[this.#file.frame.slot]?.name}.${node.text}`;
    const position =
      this.#file.language.family === "rust"
        ? positionOf(node.text, holder)
        : /^(ecmascript|csharp)$/.test(this.#file.language.family) && parent && holder
          ? positionIn(parent, holder)
          : holder?.type === "type_spec"
            ? namesIn(list).indexOf(node.text)
            : this.#file.language.family === "jvm" && GENERIC_JVM.has(holder?.type ?? "")
              ? typeParameters(list).findIndex(({ id }) => id === parent?.id)
              : -1;
    const bounded = (): Expression[] =>
      (bound?.namedChildren ?? constraintsOf(node.text, holder)).flatMap((each) => {
        const type = this.#file.expressions.type(each, scope);
        // TypeScript: a type with its arguments, or one without a name.
        const { shapes } = this.#file.expressions;
        const stated = shapes && (type ?? shapes.read(each, scope));
        if (shapes) return stated ? [stated] : [];
        if (this.#file.language.family === "csharp") return type ? [type] : [];
        return type?.[0] === TAG.ofType ? [type[1]] : type?.[0] === TAG.parameter ? [type] : [];
      });
    const all = (): Expression | undefined => {
      const stated = before?.();
      const earlier = stated?.[0] === TAG.parameter ? stated[2] : stated;
      const implemented = holder?.type === "struct_item" ? (this.#bounds.get(key) ?? []).flatMap((each) => each()) : [];
      return together([...bounded(), ...(earlier?.[0] === TAG.bounds ? earlier[1] : [earlier]), ...implemented]);
    };
    const meaning = (): Expression | undefined => {
      const type = all();
      return position < 0 ? type : [TAG.parameter, position, type ?? null];
    };
    scope.bindType(node.text, meaning);
    // Rust states the bounds of a struct's parameters where it implements the struct.
    if (holder?.type === "impl_item" && bound) this.#bounds.set(key, [...(this.#bounds.get(key) ?? []), bounded]);
  }

  /** Go: a method names the type parameters of its type again: `func (l *List[T]) First() T`. */
  bindReceiver(receiver: Node, scope: Scope): void {
    const type = receiver.namedChildren[0]?.childForFieldName("type");
    const generic = type?.type === "pointer_type" ? type.namedChildren[0] : type;
    const given = generic?.type === "generic_type" ? generic.childForFieldName("type_arguments")?.namedChildren : [];
    for (const [at, { text }] of (given ?? []).entries()) scope.bindType(text, () => [TAG.parameter, at, null]);
  }
}

/** C#: `where T : Base, IOther`. */
function constraintsOf(name: string, holder: Node | null | undefined): Node[] {
  const clauses = holder?.namedChildren.filter(({ type }) => type === "type_parameter_constraints_clause") ?? [];
  return clauses
    .filter((clause) => clause.namedChildren[0]?.text === name)
    .flatMap((clause) => clause.namedChildren.flatMap((each) => each.childForFieldName("type") ?? []));
}

/** Go: `[K comparable, V any]`, `[K, V any]`. */
function namesIn(list: Node | null | undefined): string[] {
  return list?.namedChildren.flatMap((each) => each.childrenForFieldName("name").map(({ text }) => text)) ?? [];
}

/** TypeScript: the condition around an `infer`. */
function conditionAround(infer: Node): Node | null {
  let at = infer.parent;
  for (let steps = 0; at && at.type !== "conditional_type"; steps += 1) at = steps < MAX_STEPS ? at.parent : null;
  return at;
}

/** Types of the project, which the file defines or imports, come first. */
function together(bounds: readonly (Expression | null | undefined)[]): Expression | undefined {
  const stated = new Map(bounds.flatMap((each) => (each ? [[JSON.stringify(each), each] as const] : [])));
  const rank = ([tag, head]: Expression): number =>
    tag === TAG.definition ? 0 : tag === TAG.import ? 1 : tag === TAG.ofType ? rank(head) : 2;
  const list = [...stated.values()].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_BOUNDS);
  return list.length > 1 ? [TAG.bounds, list] : list[0];
}

/** TypeScript: types whose parameters stand for the arguments they are given. */
const GENERIC = new Set([
  "type_alias_declaration",
  "class_declaration",
  "abstract_class_declaration",
  "class",
  "interface_declaration",
  // C#
  "struct_declaration",
  "record_declaration",
  "delegate_declaration",
]);

const GENERIC_JVM: ReadonlySet<string> = new Set(["class_declaration", "interface_declaration", "record_declaration"]);

/** TypeScript: functions whose type parameters each call tells. */
const GENERIC_FUNCTION =
  /^(function_(declaration|expression|signature|type)|generator_function(_declaration)?|arrow_function|(abstract_)?method_(definition|signature)|call_signature|constructor_type|construct_signature|method_declaration|local_function_statement)$/;
const MAX_FUNCTIONS = 3;

/** TypeScript: the position of a type parameter; -1: none. */
function positionIn(parameter: Node, holder: Node): number {
  const at = typeParameters(parameter.parent).findIndex(({ id }) => id === parameter.id);
  if (GENERIC.has(holder.type)) return at < OWN_PARAMETERS ? at : -1;
  if (!GENERIC_FUNCTION.test(holder.type) || at >= OWN_PARAMETERS_STEP) return -1;
  let around = 0;
  for (let outer = holder.parent; outer; outer = outer.parent)
    if (GENERIC_FUNCTION.test(outer.type) && outer.childForFieldName("type_parameters")) around += 1;
  return around < MAX_FUNCTIONS && at >= 0 ? OWN_PARAMETERS + around * OWN_PARAMETERS_STEP + at : -1;
}

const PARAMETERISED = new Set(["struct_item", "enum_item", "union_item"]);

/** Rust: the position of a type parameter among the arguments of the type that is defined or implemented; -1: none. */
function positionOf(name: string, holder: Node | null | undefined): number {
  if (PARAMETERISED.has(holder?.type ?? ""))
    return typeParameters(holder?.childForFieldName("type_parameters")).findIndex(
      (each) => (each.childForFieldName("name") ?? each).text === name,
    );
  if (holder?.type !== "impl_item") return -1;
  return typeParameters(holder.childForFieldName("type")?.childForFieldName("type_arguments")).findIndex(
    ({ text }) => text === name,
  );
}

/** Without lifetimes, which a use of the type may leave out. */
function typeParameters(list: Node | null | undefined): Node[] {
  return list?.namedChildren.filter(({ type }) => !type.startsWith("lifetime") && type !== "comment") ?? [];
}
