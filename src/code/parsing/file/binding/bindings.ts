/** Reads what names are bound to: variables, constants, and names given to a value. */

import { type Expression, firstKnown, TAG, TUPLE } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import { spreadValues } from "../../expressions/ecmascript/objects.ts";
import { bindPattern } from "../../expressions/patterns.ts";
import { isReassignable, Reassigned } from "../../expressions/reassigned.ts";
import { type Meaning, Scope } from "../../expressions/scopes.ts";
import { documentedType } from "../../expressions/types/documented_types.ts";
import { objectIn } from "../../expressions/types/typing.ts";
import type { AssignedVariables } from "../ecmascript/assigned_variables.ts";
import { isHeldClass } from "../ecmascript/classes_in_place.ts";
import type { MemberAssignments } from "../ecmascript/member_assignments.ts";
import { isModuleObject } from "../ecmascript/member_target.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";
import { type Filled, isEmpty } from "../python/filled.ts";
import { bindTypeVariable } from "../python/type_variables.ts";
import { isEmpty as isEmptyRuby, type RubyFills } from "../ruby/filled.ts";
import type { FieldBindings } from "./fields.ts";

export class Bindings {
  readonly #file: OpenFile;
  readonly #assignments: MemberAssignments;
  readonly #constants = new Set<string>();
  readonly #reassigned = new Reassigned();
  /** Python, PHP: variables whose values are lists without elements. */
  readonly #empty = new WeakSet<Meaning>();
  readonly #fields: FieldBindings;
  readonly #filledRuby: RubyFills;
  /** JavaScript: values of variables that are declared without one. */
  readonly #assigned: AssignedVariables | undefined;

  constructor(
    file: OpenFile,
    fields: FieldBindings,
    filledRuby: RubyFills,
    assignments: MemberAssignments,
    assigned: AssignedVariables | undefined,
  ) {
    this.#file = file;
    this.#fields = fields;
    this.#assignments = assignments;
    this.#assigned = assigned;
    this.#filledRuby = filledRuby;
  }

  /** A variable is assigned after its declaration. */
  reassigned({ node, of }: Item, name: Node): void {
    if (of) this.#assigned?.add(node, name.text, of, this.#file.frame.scope);
  }

  variable(item: Item, name: Node): void {
    const { node } = item;
    const { names, members } = this.#file.language.nodes;
    const isName = names.has(name.type);
    const { frame, facts } = this.#file;
    const owner = facts.entities[frame.slot]?.kind;
    if (members[name.type]) this.#fields.assigned(item, name);
    else if (name.type === this.#file.language.instanceVariable)
      this.#fields.instanceVariable(name.text, this.#file.typing.value(node));
    else if (owner === "class" && isName) this.#fields.property(item, name);
    else {
      if (name.type === "pattern_list" || name.type === "tuple_pattern") this.#fields.assignedParts(item, name);
      const value = this.#file.typing.value(node);
      const isTop = frame.scope === this.#file.top || (owner === "module" && !frame.anonymous);
      if (isHeldClass(value)) return;
      if (value && this.#file.typing.isFunction(value) && isName) this.#function(item, name, value);
      else if (isTop && isName && !(value && this.#isRequired(value))) this.#constant(item, name, value);
      else this.#local(node, name, value);
    }
  }

  /** The variable and its function are one definition, so the function's own scope is skipped. */
  #function(item: Item, name: Node, value: Node): void {
    const { frame, facts } = this.#file;
    const slot = this.#file.add("function", name.text, item.node);
    this.#file.bindDefinition(frame.scope, "function", name.text, slot);
    const scope = new Scope(frame.scope);
    this.#file.open(item, slot, scope);
    const entity = facts.entities[slot];
    if (entity) this.#file.later(() => this.#file.typing.setReturns(entity, value, scope));
  }

  #constant(item: Item, name: Node, value: Node | null): void {
    const { node } = item;
    const { frame, facts, typing } = this.#file;
    // Python has no declarations: the first assignment counts.
    if (this.#file.language.explicitSelf && this.#constants.has(name.text)) return;
    this.#constants.add(name.text);
    const slot = this.#file.add("constant", name.text, node);
    this.#file.bindDefinition(frame.scope, "constant", name.text, slot);
    if (this.#file.language.explicitSelf) bindTypeVariable(this.#file, name.text, value);
    this.#assignments.declared(value, slot, typing.stated(node) !== null);
    const scope = new Scope(frame.scope);
    this.#file.open(item, slot, scope);
    const entity = facts.entities[slot];
    // `const app = module.exports`: its members are all that is known.
    const isModule = this.#file.language.family === "ecmascript" && value && isModuleObject(value);
    if (entity && !isModule)
      this.#file.later(() => {
        this.#setValue(entity, node, scope, typing.stated(node) ? null : value);
        this.#addSpread(entity, slot, value, scope);
      });
  }

  /** JavaScript: a constant object has its own members, and those of the objects that it takes over. */
  #addSpread(entity: EntityFact, slot: number, value: Node | null, scope: Scope): void {
    const object = value && this.#file.language.family === "ecmascript" && !entity.value ? objectIn(value) : undefined;
    const spread = object ? spreadValues(object, (each) => this.#file.expressions.value(each, scope)) : [];
    if (spread.length > 0) entity.value = [TAG.bounds, [[TAG.definition, slot], ...spread]];
  }

  #local(node: Node, name: Node, value: Node | null): void {
    const { language, fills } = this.#file;
    const { scope } = this.#file.frame;
    const type = this.#file.typing.stated(node);
    const meaning = this.#meaningOf(node, name, value, type);
    if (/^(python|php)$/.test(language.family) && isEmpty(value)) this.#empty.add(meaning);
    if (language.returnsLast && isEmptyRuby(value)) this.#filledRuby.empty(meaning);
    const bind = (into: Scope): void => {
      const filled = () => fills?.variable(meaning(), value, boundName(name), into);
      bindPattern(this.#file.expressions, name, into, fills && !type ? filled : meaning);
    };
    if (language.bindsLate) this.#file.bindAfter(node.endIndex, bind);
    else bind(scope);
    // C#: a variable of one case is visible in the others.
    if (node.parent?.parent?.parent?.type === "switch_section" && scope.parent) bind(scope.parent);
  }

  #meaningOf(node: Node, name: Node, value: Node | null, type: Node | null): () => Expression | undefined {
    const { expressions, language, typing } = this.#file;
    const { scope } = this.#file.frame;
    const part = (type ? undefined : language.declaredPart?.(node, name)) ?? "whole";
    const valueIn = (inner: Scope): Expression | undefined => {
      const isPhp = language.family === "php";
      const stated = isPhp ? documentedType(expressions, node, "type", inner, name.text) : undefined;
      return stated ?? partOf(typing.typed(type, value, inner), part);
    };
    if (isReassignable(language.family)) return this.#reassigned.meaning(scope, name.text, valueIn);
    const declaration = node.parent?.children[0]?.type;
    // A variable that is assigned again: the function it has at first is not the one that is called.
    const isVaried = value?.type === "identifier" && declaration === "let";
    const local = value?.type === "object" ? this.#assignments.localObject(name.text) : undefined;
    const mayChange = declaration !== "const" && language.nodes.names.has(name.type) && !type;
    return () => {
      const whole = isVaried ? typeOf(valueIn(scope)) : valueIn(scope);
      const known = local ? local(whole) : whole;
      return this.#assigned && mayChange ? this.#assigned.orLater(known, name.text, scope) : known;
    };
  }

  #setValue(entity: EntityFact, node: Node, scope: Scope, value: Node | null): void {
    this.#file.typing.setValue(entity, node, scope);
    const later = value
      ? this.#file.fills?.variable(entity.value, value, entity.name, scope.declaring(entity.name) ?? scope)
      : this.#assigned?.orLater(entity.value, entity.name, scope);
    if (later) entity.value = later;
  }

  /** `require("x")` and `require("x").y` import a name and define none. */
  #isRequired(value: Node): boolean {
    const object = value.type === "member_expression" ? value.childForFieldName("object") : value;
    return (
      object !== null &&
      object.type in this.#file.language.nodes.calls &&
      this.#file.imports.loadedModule(object)?.promised === false
    );
  }

  /** Rust: the names in the pattern of an arm are parts of the value that is matched. */
  matched(arm: Node, pattern: Node): void {
    const { scope } = this.#file.frame;
    const value = arm.parent?.parent?.childForFieldName("value");
    bindPattern(this.#file.expressions, pattern, scope, () =>
      value ? this.#file.expressions.value(value, scope.parent ?? scope) : undefined,
    );
  }

  /** A name for a value: `with x as y`, `except E as e`. */
  aliased(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#file.frame;
    bindPattern(this.#file.expressions, name, scope, () => {
      const value = of && this.#file.expressions.value(of, scope);
      if (!value || node.parent?.type === "except_clause") return value && [TAG.construct, value, []];
      const statement = node.parent?.type === "with_item" ? node.parent.parent?.parent : undefined;
      if (!statement) return value;
      const entered = statement.children[0]?.type === "async" ? "__aenter__" : "__enter__";
      return [TAG.either, [TAG.call, [TAG.member, value, entered]], value];
    });
  }

  /** `items.append(item)` in Python and `$items[] = $item` in PHP tell what an empty list holds. */
  filled({ of, value }: Filled): void {
    const { scope } = this.#file.frame;
    if (this.#file.language.returnsLast) {
      this.#filledRuby.add({ of, value });
      return;
    }
    const { names } = this.#file.language.nodes;
    const before = names.has(of.type) ? scope.valueMeaning(of.text) : undefined;
    if (before && this.#empty.has(before)) scope.bindValue(of.text, () => firstKnown([before(), value()], of.text));
    this.#fields.filled(of, value);
  }
}

function partOf(whole: Expression | undefined, part: number | "whole" | "unknown"): Expression | undefined {
  if (part === "whole" || !whole) return whole;
  if (part === "unknown") return undefined;
  const isTuple = whole[0] === TAG.ofType && whole[1][1] === TUPLE;
  return isTuple ? (whole[2][part] ?? undefined) : [TAG.elementAt, whole, part];
}

/** Rust: the name in `mut list`. */
function boundName(pattern: Node): string {
  return (pattern.type === "mut_pattern" ? pattern.namedChildren.at(-1) : pattern)?.text ?? "";
}

/** A value of the same type. */
function typeOf(value: Expression | undefined): Expression | undefined {
  return value && [TAG.union, [value]];
}
