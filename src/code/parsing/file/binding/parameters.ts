/** Reads the values of parameters: their stated types, or the values that calls pass to their function. */
import { type Expression, firstKnown, listOf, RECEIVER, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { impliedValue } from "../../expressions/csharp/implied.ts";
import { bindPattern } from "../../expressions/patterns.ts";
import { statedBeside } from "../../expressions/ruby/comments.ts";
import { HIDDEN, type Scope } from "../../expressions/scopes.ts";
import { documentedName, documentedType } from "../../expressions/types/documented_types.ts";
import type { AssignedVariables } from "../ecmascript/assigned_variables.ts";
import type { OpenFile } from "../open_file.ts";
import { fixtureNamed } from "../python/fixtures.ts";
import { addProperty } from "./properties.ts";

/** Make a parameter of a constructor a field, too. */
const PROPERTY_MODIFIERS: ReadonlySet<string> = new Set(["accessibility_modifier", "readonly", "visibility_modifier"]);

export class Parameters {
  readonly #file: OpenFile;
  readonly #assigned: AssignedVariables | undefined;
  /** Nodes of parameters that are the instance itself (Python's `self`). */
  readonly #selfParameters = new Set<number>();

  constructor(file: OpenFile, assigned: AssignedVariables | undefined) {
    this.#file = file;
    this.#assigned = assigned;
  }

  /** A name without a stated value; a parameter with a default or a name of its own may still have a known one. */
  hidden(node: Node, name: Node): void {
    // Ruby: the name in `rescue E => e` is bound for the clause alone.
    if (node.type === "exception_variable" && node.parent?.childForFieldName("exceptions")) return;
    const isParameter = /^(?:optional|keyword|splat)_parameter$/.test(node.type);
    if (isParameter && node.parent?.type === "method_parameters") this.#methodParameter(node, name);
    else this.#file.frame.scope.bindValue(name.text, HIDDEN);
  }

  /** Ruby: a parameter of a method; it is named if its value is not known. */
  #methodParameter(node: Node, name: Node): void {
    const { scope, slot } = this.#file.frame;
    const method = this.#file.facts.entities[slot];
    scope.bindValue(name.text, () => {
      const values = method ? this.#file.passed.valuesOf(method, node) : [];
      const stated = this.#file.typing.value(node);
      const usual = stated ? this.#file.expressions.value(stated, scope.parent ?? scope) : undefined;
      const fn = node.parent?.parent;
      const beside = fn ? statedBeside(this.#file.expressions, fn, "param", scope, name.text) : undefined;
      const isRest = node.type === "splat_parameter";
      const all = isRest ? [...values, beside].map((each) => each && listOf(each)) : [...values, beside, usual];
      return firstKnown(all, name.text);
    });
  }

  bind(node: Node, name: Node): void {
    const { family, nodes } = this.#file.language;
    const { scope } = this.#file.frame;
    if (this.#selfParameters.has(node.id)) return;
    if (node.parent?.type === "method_parameters" && family === "ruby") {
      this.#methodParameter(node, name);
      return;
    }
    const stated = this.#file.language.statedType?.(node) ?? node.childForFieldName(nodes.fields.type);
    // C++: `auto` is what the function is given.
    const type = stated?.type === "placeholder_type_specifier" ? null : stated;
    if (name.type === "this" && type) {
      // TypeScript: `function f(this: Item)`.
      scope.selfMeaning = () => this.#file.typing.typed(type, null, scope);
      return;
    }
    const meaning = (): Expression | undefined => this.#meaningOf(node, name, type, scope);
    bindPattern(this.#file.expressions, name, scope, meaning);
    this.#addFields(node, name, type, scope);
  }

  #meaningOf(node: Node, name: Node, type: Node | null, scope: Scope): Expression | undefined {
    const { family } = this.#file.language;
    const stated = this.#statedType(node, type, scope);
    if (!stated && this.#file.language.parameterTypes) {
      const implied = impliedValue(this.#file.expressions, node, scope);
      if (implied) return implied;
    }
    if (stated && (this.#isVariadic(node) || name.parent?.type === "list_splat_pattern")) return listOf(stated);
    if (stated && name.parent?.type === "dictionary_splat_pattern")
      return [TAG.ofType, [TAG.freeName, "dict"], [null, stated]];
    if (stated === RECEIVER) return scope.instance();
    if ((stated || type) && family !== "php") return stated;
    const outer = scope.parent ?? scope;
    const documented = documentedType(this.#file.expressions, node, "param", outer, this.#documentedAs(node, name));
    if (node.type === "variadic_parameter") return listOf(documented ?? stated ?? null);
    // PHP: a comment may state a subclass.
    if (documented && stated) return [TAG.checked, stated, documented];
    return documented ?? stated ?? this.#passed(node, name, scope);
  }

  /** A comment may give a parameter that is taken apart any name. */
  #documentedAs(node: Node, name: Node): string {
    const pattern = name.childForFieldName("left") ?? name;
    const list = node.parent;
    if (pattern.type !== "object_pattern" || !list || this.#file.language.name !== "javascript") return name.text;
    const at = list.namedChildren.filter(({ type }) => type !== "comment").findIndex(({ id }) => id === name.id);
    return (at < 0 ? undefined : documentedName(node, at)) ?? name.text;
  }

  /** The function's own type parameters are in its scope, its other parameters are not yet. */
  #statedType(node: Node, type: Node | null, scope: Scope): Expression | undefined {
    const { typing } = this.#file;
    return typing.typed(type, null, scope) ?? typing.typed(type, typing.value(node), scope.parent ?? scope);
  }

  /** The value that the caller of the function passes, or that is assigned later. */
  #passed(node: Node, name: Node, scope: Scope): Expression | undefined {
    const { nodes, family, explicitSelf } = this.#file.language;
    const around = nodes.functions.has(node.type) ? node : node.parent?.parent;
    const fn = around?.type === "abstract_function_declarator" ? around.parent : around;
    const index = fn === node ? 0 : (node.parent?.namedChildren.findIndex((each) => each?.id === node.id) ?? 0);
    const outer = scope.parent ?? scope;
    const passed = fn ? this.#file.expressions.callbackParameter(fn, index, outer) : undefined;
    if (this.#assigned && !passed && nodes.names.has(name.type))
      return this.#assigned.orLater(passed, name.text, scope);
    if (explicitSelf) return passed ?? fixtureNamed(this.#file, fn, name.text);
    return family === "ruby" ? firstKnown([passed], name.text) : passed;
  }

  /** Of a record in C#, or of a constructor that makes fields of its parameters. */
  #addFields(node: Node, name: Node, type: Node | null, scope: Scope): void {
    const { typing, facts, frame } = this.#file;
    if (node.parent?.type === "parameter_list" && node.parent.parent?.type === "record_declaration")
      addProperty(this.#file, frame.slot, name.text, () => typing.typed(type, null, scope));
    const entity = facts.entities[frame.slot];
    const isConstructor = /^(__)?construct(or)?$/.test(entity?.name ?? "");
    const isField = isConstructor && node.children.some((each) => PROPERTY_MODIFIERS.has(each.type));
    const owner = entity?.parent ?? -1;
    if (!isField || owner < 0) return;
    const value = typing.value(node);
    this.#file.later(() => {
      const resolved = typing.typed(type, value, scope);
      const property = name.text.replace(/^\$/, "");
      if (resolved) facts.properties.push({ owner, name: property, value: resolved });
    });
  }

  #isVariadic(parameter: Node): boolean {
    const before = parameter.previousSibling;
    return (
      parameter.type === "variadic_parameter_declaration" ||
      (before?.type === "parameter_modifiers" && before.text === "vararg")
    );
  }

  bindSelf(node: Node, scope: Scope, owner: number, signature: string): void {
    const stated = node.childForFieldName("parameters")?.namedChildren[0];
    const first = stated?.type === "typed_parameter" ? stated.namedChildren[0] : stated;
    if (first?.type !== "identifier" || /@staticmethod\b/.test(signature)) return;
    const ofClass = /@classmethod\b/.test(signature) || node.childForFieldName("name")?.text === "__new__";
    scope.bindValue(first.text, () => (ofClass ? [TAG.definition, owner] : [TAG.instance, owner]));
    this.#selfParameters.add(first.id);
    if (stated) this.#selfParameters.add(stated.id);
  }
}
