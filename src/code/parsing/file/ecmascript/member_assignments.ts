/** Reads JavaScript's assignments to members: functions become definitions, and other values of a module its exports. */

import type { EntityKind } from "../../../../store/code.ts";
import { allOf, type Expression, MODULE_VALUE, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { exportedName, Scope } from "../../expressions/scopes.ts";
import { objectIn } from "../../expressions/types/typing.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";
import { assignedValue, isModuleValue, type MemberTarget, memberTarget, prototypeOf } from "./member_target.ts";

/** A larger object is a table of data. */
const MAX_OBJECT_MEMBERS = 100;
/** Objects whose members a returned object takes over. */
const MAX_SPREAD = 4;

export class MemberAssignments {
  readonly #file: OpenFile;
  /** Local objects, by the slot of their function and their names: whether anything is assigned to their members. */
  readonly #objects = new Map<string, boolean>();

  constructor(file: OpenFile) {
    this.#file = file;
  }

  read(item: Item, left: Node, right: Node): void {
    const target = memberTarget(left);
    if (!target) return;
    const { value } = assignedValue(right);
    if (target.kind === "module") this.#module(item, value);
    else if (target.name === undefined) {
      const owner = this.#ownerOf(target);
      this.#object(item, value, owner);
      this.#inherit(owner, prototypeOf(value));
    } else if (this.#file.typing.isFunction(value)) this.#function(item, target, target.name, value);
    else if (target.kind === "export") this.#export(target.name, value);
    else if (target.kind !== "this") this.#property(this.#ownerOf(target), target.name, value);
  }

  /** Functions declared inside a function are its members already; the object that it returns may name others. */
  returnedObject(object: Node, owner: number): () => Expression | undefined {
    const { scope } = this.#file.frame;
    const spread = object.namedChildren.filter(({ type }) => type === "spread_element").slice(0, MAX_SPREAD);
    this.#objectMembers(object, owner, true);
    return () => {
      const others = spread.map(({ namedChildren: [of] }) => of && this.#file.expressions.value(of, scope));
      return allOf([[TAG.instance, owner], ...others]);
    };
  }

  /** Values that an object names. `withFunctions`: its functions are not definitions. */
  #objectMembers(object: Node, owner: number, withFunctions: boolean): void {
    if (object.namedChildCount > MAX_OBJECT_MEMBERS) return;
    for (const part of object.namedChildren) {
      if (part?.type === "shorthand_property_identifier") this.#property(owner, part.text, part);
      if (part?.type === "method_definition" && withFunctions) {
        const name = part.childForFieldName("name");
        if (name?.type === "property_identifier") this.#property(owner, name.text, part);
      }
      if (part?.type !== "pair") continue;
      const key = part.childForFieldName("key");
      const value = part.childForFieldName("value");
      const isValue = value && (withFunctions || !this.#file.typing.isFunction(value));
      if (key?.type === "property_identifier" && isValue) this.#property(owner, key.text, value);
    }
  }

  #property(owner: number | undefined, name: string, value: Node): void {
    if (owner === undefined) return;
    const scope = this.#file.frame.scope;
    this.#file.later(() => {
      const found =
        value.type === "method_definition"
          ? this.#file.expressions.functionType(value, scope)
          : this.#file.typing.returned(value, scope);
      if (found) this.#file.facts.properties.push({ owner, name, value: found });
    });
  }

  /**
   * `const app = module.exports = …`, `const app = module.exports`: the definition is the value of the module. An object
   * has the members it names.
   */
  declared(value: Node | null, slot: number, isTyped: boolean): void {
    if (value && this.#file.language.family === "ecmascript" && isModuleValue(value))
      this.#addExport(MODULE_VALUE, [TAG.definition, slot]);
    const object = value && objectIn(value);
    if (object && !isTyped) this.#objectMembers(object, slot, false);
  }

  /**
   * `const api = {}` in a function, to whose members it assigns others: they are its members, like those that are declared in
   * it, besides those that the object itself has. The value of other objects is unchanged.
   */
  localObject(name: string): (own: Expression | undefined) => Expression | undefined {
    const { slot, anonymous } = this.#file.frame;
    if (slot < 0 || anonymous || this.#file.language.name !== "javascript") return (own) => own;
    const key = `${slot}:${name}`;
    this.#objects.set(key, false);
    // Which one it is, is known once the whole file is read.
    return (own) => (this.#objects.get(key) ? allOf([[TAG.instance, slot], own]) : own);
  }

  /** After everything else: the single exports of a module are also members of its whole value. */
  finish(): void {
    const { exports, properties } = this.#file.facts;
    const whole = exports.find(({ name }) => name === MODULE_VALUE)?.value;
    if (whole?.[0] !== TAG.definition) return;
    for (const { name, value } of exports)
      if (value && name !== MODULE_VALUE) properties.push({ owner: whole[1], name, value });
  }

  #module(item: Item, value: Node): void {
    if (this.#file.typing.isFunction(value)) {
      const name = value.childForFieldName("name")?.text ?? "default";
      const slot = this.#define(item, "function", name, value, -1);
      this.#addExport(MODULE_VALUE, [TAG.definition, slot]);
    } else if (value.type === "object") {
      const holder = this.#file.frame.slot;
      const whole = this.#file.facts.exports.find(({ name }) => name === MODULE_VALUE)?.value;
      // `const api = module.exports = { … }`
      const isHeld = holder >= 0 && whole?.[0] === TAG.definition && whole[1] === holder;
      if (isHeld) this.#objectMembers(value, holder, false);
      else this.#exportProperties(value);
      this.#object(item, value, isHeld ? holder : -1);
    } else {
      this.#export(MODULE_VALUE, value);
    }
  }

  /** `Type.prototype = Object.create(Base.prototype)`. */
  #inherit(slot: number | undefined, base: Node | undefined): void {
    const { scope } = this.#file.frame;
    if (slot === undefined || !base) return;
    this.#file.later(() => {
      const target = this.#file.expressions.value(base, scope);
      const line = base.startPosition.row + 1;
      if (target) this.#file.facts.bases.push({ slot, kind: "extends", line, target });
    });
  }

  #object(item: Item, value: Node, owner: number | undefined): void {
    if (value.type === "object" && owner !== undefined) this.#file.openObject(item, value, owner);
  }

  #function(item: Item, target: MemberTarget, name: string, fn: Node): void {
    const owner = this.#ownerOf(target);
    if (owner === undefined) return;
    const slot = this.#define(item, owner < 0 ? "function" : "method", name, fn, owner);
    if (target.kind !== "export") return;
    this.#addExport(name, [TAG.definition, slot]);
    this.#file.top.bindValue(exportedName(name), () => [TAG.definition, slot]);
  }

  #define(item: Item, kind: EntityKind, name: string, fn: Node, owner: number): number {
    const slot = this.#file.add(kind, name, item.node, owner);
    // An arrow function keeps the `this` of its surroundings.
    const outer = this.#file.frame.scope;
    const scope = owner >= 0 && fn.type !== "arrow_function" ? new Scope(outer, owner) : new Scope(outer);
    this.#file.open(item, slot, scope);
    const entity = this.#file.facts.entities[slot];
    if (entity) this.#file.later(() => this.#file.typing.setReturns(entity, fn, scope));
    return slot;
  }

  /** -1: the file; undefined: something that this file does not define at its top. */
  #ownerOf(target: MemberTarget): number | undefined {
    if (target.kind === "module" || target.kind === "export") return -1;
    if (target.kind === "this") {
      const { self } = this.#file.frame.scope;
      return self < 0 ? undefined : self;
    }
    const name = target.kind === "prototype" ? target.type : target.object;
    const { entities } = this.#file.facts;
    const holder = this.#file.stack.findLast(({ slot }) => this.#objects.has(`${slot}:${name}`));
    if (holder) {
      this.#objects.set(`${holder.slot}:${name}`, true);
      return holder.slot;
    }
    const slot = entities.findIndex((each) => each.name === name && each.parent < 0);
    return slot < 0 ? undefined : slot;
  }

  #exportProperties(object: Node): void {
    for (const part of object.namedChildren) {
      if (!part) continue;
      if (part.type === "shorthand_property_identifier") this.#export(part.text, part);
      else if (part.type === "spread_element") this.#exportAll(part.namedChildren[0]);
      else if (part.type === "pair") {
        const key = part.childForFieldName("key");
        const value = part.childForFieldName("value");
        if (key?.type === "property_identifier" && value && !this.#file.typing.isFunction(value))
          this.#export(key.text, value);
      }
    }
  }

  #export(name: string, value: Node): void {
    const scope = this.#file.frame.scope;
    const meaning = () => this.#file.expressions.value(value, scope);
    if (name !== MODULE_VALUE) this.#file.top.bindValue(exportedName(name), meaning);
    this.#file.later(() => {
      const found = meaning();
      if (found) this.#addExport(name, found);
    });
  }

  /** `...require("./x")` exports everything of the other module. */
  #exportAll(value: Node | null | undefined): void {
    const scope = this.#file.frame.scope;
    this.#file.later(() => {
      const found = value && this.#file.expressions.value(value, scope);
      if (found?.[0] === TAG.import) this.#file.facts.exports.push({ name: "*", star: found[1] });
    });
  }

  #addExport(name: string, value: Expression): void {
    this.#file.facts.exports.push({ name, value });
  }
}
