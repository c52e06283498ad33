/** Reads the fields of classes: those that are declared, and those that an assignment to the instance makes. */

import { firstKnown, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";
import { documentedType } from "../../expressions/types/documented_types.ts";
import { addInlineMember } from "../ecmascript/inline_members.ts";
import { markStatic } from "../ecmascript/static_members.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";
import { addEnumerated } from "../python/enumerations.ts";
import { type Filled, isEmpty } from "../python/filled.ts";
import { isEmpty as isEmptyRuby, type RubyFills } from "../ruby/filled.ts";
import { addProperty } from "./properties.ts";

export class FieldBindings {
  readonly #file: OpenFile;
  readonly #filledRuby: RubyFills;
  /** Python, PHP: fields whose values are lists without elements. */
  readonly #empty = new Set<string>();

  constructor(file: OpenFile, filledRuby: RubyFills) {
    this.#file = file;
    this.#filledRuby = filledRuby;
  }

  /** A field that the class declares. */
  property(item: Item, name: Node): void {
    const { node } = item;
    const form = node.parent?.parent;
    if (form?.type === "enum_variant") {
      const [type, { slot, scope }] = [this.#file.typing.stated(node), this.#file.frame];
      const qualified = `${form.childForFieldName("name")?.text}.${name.text}`;
      addProperty(this.#file, slot, qualified, () => (type ? this.#file.expressions.type(type, scope) : undefined));
      return;
    }
    if (!this.#file.belongs(node)) {
      addInlineMember(this.#file, item, name);
      return;
    }
    const { types } = this.#file.language.nodes;
    const type = this.#file.typing.stated(node);
    const value = this.#file.typing.value(node) ?? initialValue(name);
    const stated = type && types.around.has(type.type) ? type.namedChildren[0] : type;
    const method = (stated && types.functions.has(stated.type)) || (value && this.#file.typing.isFunction(value));
    const { slot: owner, scope } = this.#file.frame;
    if (!method) {
      if (this.#file.language.explicitSelf && addEnumerated(this.#file, node, name.text)) return;
      this.#file.later(() => {
        const known =
          documentedType(this.#file.expressions, node, "type", scope) ?? this.#file.typing.typed(type, value, scope);
        const resolved = type ? known : (this.#file.fills?.field(known, value, name.text, owner) ?? known);
        if (resolved) this.#file.facts.properties.push({ owner, name: name.text, value: resolved });
        else if (isEmpty(value ?? node.namedChildren.at(-1)?.childForFieldName("default_value") ?? null))
          this.#empty.add(`${owner}.${name.text}`);
      });
      return;
    }
    const slot = this.#file.add("method", name.text, node);
    const inner = new Scope(scope);
    this.#file.open(item, slot, inner);
    const entity = this.#file.facts.entities[slot];
    if (!entity) return;
    if (this.#file.language.family === "ecmascript") markStatic(entity, node, inner);
    const fn = value && this.#file.typing.isFunction(value) ? value : (stated ?? node);
    this.#file.later(() => this.#file.typing.setReturns(entity, fn, inner));
  }

  /** `this.x = …` and `self.x = …` make a member of the class. */
  assigned(item: Item, name: Node): void {
    const { nodes } = this.#file.language;
    // Ruby: `self.x = …` calls the writer of the field `@x`.
    const call = nodes.calls[name.type];
    const prefix = typeof call === "object" ? "@" : "";
    const [object, field] = nodes.members[name.type] ?? (typeof call === "object" ? call : []);
    const of = object === undefined ? null : name.childForFieldName(object);
    const member = field === undefined ? undefined : name.childForFieldName(field)?.text;
    if (!of || member === undefined) return;
    const { scope } = this.#file.frame;
    this.#file.later(() => {
      const receiver = this.#file.expressions.value(of, scope);
      if (receiver?.[0] !== TAG.instance) return;
      const value = this.#file.typing.value(item.node);
      const known =
        documentedType(this.#file.expressions, item.node, "type", scope) ??
        this.#file.typing.typed(item.node.childForFieldName(nodes.fields.type), value, scope);
      const resolved = this.#file.fills?.field(known, value, member, receiver[1]) ?? known;
      if (resolved) this.#file.facts.properties.push({ owner: receiver[1], name: prefix + member, value: resolved });
      else if (isEmpty(this.#file.typing.value(item.node))) this.#empty.add(`${receiver[1]}.${member}`);
    });
  }

  /** Python: `self.a, self.b = …`. */
  assignedParts({ node }: Item, list: Node): void {
    const { scope } = this.#file.frame;
    for (const [at, part] of list.namedChildren.entries()) {
      if (part.type !== "attribute") continue;
      const [of, name] = [part.childForFieldName("object"), part.childForFieldName("attribute")?.text];
      const value = this.#file.typing.value(node);
      if (!of || !value || name === undefined) continue;
      this.#file.later(() => {
        const owner = this.#file.expressions.value(of, scope);
        const whole = owner?.[0] === TAG.instance ? this.#file.expressions.value(value, scope) : undefined;
        if (owner?.[0] === TAG.instance && whole)
          this.#file.facts.properties.push({ owner: owner[1], name, value: [TAG.elementAt, whole, at] });
      });
    }
  }

  /** Ruby: `@x = …`. */
  instanceVariable(name: string, value: Node | null): void {
    const { scope } = this.#file.frame;
    if (scope.self < 0 && value) {
      // The blocks of a specification share their variables.
      const { top } = scope;
      const before = top.valueMeaning(name);
      top.bindValue(name, () => firstKnown([this.#file.expressions.value(value, scope), before?.()], name));
      return;
    }
    const add = (): void => {
      const found = scope.self < 0 || !value ? undefined : this.#file.expressions.value(value, scope);
      if (found) this.#file.facts.properties.push({ owner: scope.self, name, value: found });
    };
    // Other values that are assigned or added say more than an empty list.
    this.#file.later(isEmptyRuby(value) ? () => this.#file.later(add) : add);
    if (isEmptyRuby(value)) this.#filledRuby.emptyField(name);
  }

  /** Notes a value that fills the empty list in a field. */
  filled(of: Node, value: Filled["value"]): void {
    const { scope } = this.#file.frame;
    const fields = this.#file.language.nodes.members[of.type];
    if (!fields || fields[0] === "") return;
    const [object, name] = [of.childForFieldName(fields[0]), of.childForFieldName(fields[1])?.text];
    this.#file.later(() => {
      const owner = object && this.#file.expressions.value(object, scope);
      const isFilled = owner?.[0] === TAG.instance && this.#empty.has(`${owner[1]}.${name}`);
      const found = isFilled ? value() : undefined;
      if (owner?.[0] === TAG.instance && found && name !== undefined)
        this.#file.facts.properties.push({ owner: owner[1], name, value: found });
    });
  }
}

/** PHP: the value that a field has at first. */
function initialValue(name: Node): Node | null {
  const declared = name.parent?.parent;
  const value = declared?.type === "property_element" ? declared.childForFieldName("default_value") : null;
  return value && !isEmpty(value) ? value : null;
}
