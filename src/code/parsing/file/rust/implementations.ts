/** Types that are written in several places: their definition, for each configuration, and blocks that implement them. */

import type { EntityKind } from "../../../../store/code.ts";
import { TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../../expressions/scopes.ts";

import type { Item } from "../items.ts";
import { CLASSES, type OpenFile } from "../open_file.ts";

export class Implementations {
  readonly #file: OpenFile;
  /** Types that are implemented before any definition of that name. */
  readonly #early = new Set<number>();

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** Members of an extension belong to the type if this file defines it, else to a class entry whose value is the type. */
  add(item: Item, type: Node): void {
    // A path leads to a type of another module.
    const name = (type.childForFieldName("name") ?? type).text;
    const own = name === type.text ? this.#file.typeSlot(name, this.#file.frame.slot) : -1;
    const known = own >= 0 || name !== type.text ? own : this.#file.typeSlot(name);
    const slot = known >= 0 ? known : this.#file.add("class", name, item.node);
    if (known < 0) (name === type.text ? this.#early : this.#file.otherTypes).add(slot);
    const scope = new Scope(this.#file.frame.scope, slot);
    const entity = this.#file.facts.entities[slot];
    if (entity && known < 0) {
      const outer = this.#file.frame.scope;
      this.#file.later(() => {
        const found = name === type.text ? outer.type(name) : this.#file.expressions.type(type, outer);
        const extended = found?.[0] === TAG.ofType ? found[1] : found;
        const isItself = extended?.[0] === TAG.definition && extended[1] === slot;
        if (extended && !isItself) entity.value = extended;
      });
    }
    const stated = item.node.childForFieldName("type");
    const standsForOther = this.#file.language.wrapperTypes?.has(name) || isTypeParameter(name, item.node);
    if (stated && known < 0 && standsForOther) scope.selfMeaning = () => this.#file.expressions.type(stated, scope);
    this.bindSelfType(scope, slot);
    this.#file.open(item, slot, scope);
  }

  bindSelfType(scope: Scope, slot: number): void {
    const { selfType } = this.#file.language;
    if (selfType === undefined) return;
    scope.bindValue(selfType, () => [TAG.definition, slot]);
    scope.bindType(selfType, () => [TAG.definition, slot]);
  }

  /** Rust: a type may be written once for each configuration; its members belong to the first one. */
  isOtherForm(kind: EntityKind, name: string, slot: number): boolean {
    const { family } = this.#file.language;
    return family === "rust" && CLASSES.has(kind) && this.#file.typeSlot(name, this.#file.frame.slot) !== slot;
  }

  /** Rust: a type may be implemented above its definition, which then takes the place of the implementation. */
  implementedBefore(slot: number): number {
    const { entities } = this.#file.facts;
    const added = entities[slot];
    const before = added ? this.#file.typeSlot(added.name, added.parent) : slot;
    const implementation = this.#early.has(before) ? entities[before] : undefined;
    if (!added || !implementation) return slot;
    entities.pop();
    this.#early.delete(before);
    Object.assign(implementation, added);
    return before;
  }
}

/** Whether the definition around it names a type parameter: `impl<T: Trait> Other for &T`. */
function isTypeParameter(name: string, definition: Node): boolean {
  const list = definition.childForFieldName("type_parameters")?.namedChildren ?? [];
  return list.some((each) => (each.childForFieldName("name") ?? each).text === name);
}
