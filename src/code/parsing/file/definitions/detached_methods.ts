/** Methods written outside their type, which may be in another file: those of Go, of C++, and of Lua's tables. */
import { Scope } from "../../expressions/scopes.ts";
import type { Item } from "../items.ts";
import type { OpenFile } from "../open_file.ts";
import type { TypeParameters } from "./type_parameters.ts";

export class DetachedMethods {
  readonly #file: OpenFile;
  readonly #typeParameters: TypeParameters;

  constructor(file: OpenFile, typeParameters: TypeParameters) {
    this.#file = file;
    this.#typeParameters = typeParameters;
  }

  add(item: Item, names: readonly string[]): void {
    const [type = "", name = type] = names.slice(-2);
    const frame = this.#file.frame;
    const owner = this.#ownerOf(type);
    const slot = this.#file.add("method", name, item.node, owner);
    const entity = this.#file.facts.entities[slot];
    if (entity && owner < 0) entity.qualified = `${this.#around(names)}${type}.${name}`;
    // In C++ the class is most often in a header: the method stands for it.
    const self = owner < 0 && this.#file.language.family === "c" ? slot : owner;
    const scope = new Scope(frame.scope, self);
    if (item.receiver) this.#typeParameters.bindReceiver(item.receiver, scope);
    this.#file.open(item, slot, scope);
    if (entity) this.#file.later(() => this.#file.typing.setReturns(entity, item.node, scope));
  }

  /** C++: the namespaces and classes around the type of a detached method. */
  #around(names: readonly string[]): string {
    if (this.#file.language.family !== "c") return "";
    const module = this.#file.facts.entities[this.#file.frame.slot];
    const outer = module?.kind === "module" ? module.qualified.split(".") : [];
    return [...outer, ...names.slice(0, -2)]
      .filter(Boolean)
      .map((each) => `${each}.`)
      .join("");
  }

  /** In Lua a table has methods. */
  #ownerOf(type: string): number {
    if (this.#file.language.family !== "lua") return this.#file.typeSlot(type);
    return this.#file.facts.entities.findIndex((each) => each.name === type && each.parent < 0);
  }
}
