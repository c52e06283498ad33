/** Members of types that only JavaScript and TypeScript have: static, merged and added ones, and those behind an alias. */
import { ANY_MEMBER, type Expression, TAG } from "../../expression.ts";
import type { BaseFact } from "../../facts.ts";
import { together, type Value } from "../evaluating/values.ts";
import { namespaceKey, type SurfaceIndex, type Surfaces } from "../project/surface_index.ts";
import { visits } from "../visited_types.ts";
import type { Augmentations } from "./augmentations.ts";
import { componentArgument } from "./react_types.ts";

/** Fields of a type that are read as one value. */
const MAX_FIELDS = 200;

type Definition = Extract<Value, { kind: "definition" }>;
type Instance = Extract<Value, { kind: "instance" }>;

/** The members that all languages have. */
interface AllMembers {
  of(value: Value | undefined, name: string, types: boolean): Value | undefined;
  ownOrInherited(
    path: string,
    slot: number,
    name: string,
    seen: Set<string>,
    given: () => Instance["of"],
  ): Value | undefined;
  field(value: Instance, name: string): Value | undefined;
}

export interface EcmascriptMembersInput {
  files: Surfaces;
  members: AllMembers;
  augmentations: Augmentations;
  /** The type behind an alias. `stated`: what the alias says. */
  behind(alias: Instance, stated: Expression): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
  /** `of`: the type arguments of the value whose member is evaluated. */
  evaluate(path: string, expression: Expression, of?: Instance["of"]): Value | undefined;
  /** Undefined when the same key is already in progress. */
  withoutCycles(key: string, work: () => Value | undefined): Value | undefined;
}

export class EcmascriptMembers {
  readonly #in: EcmascriptMembersInput;

  constructor(input: EcmascriptMembersInput) {
    this.#in = input;
  }

  /** JavaScript: a method of the class itself, or of one of its bases. */
  ofClass(path: string, slot: number, name: string, seen = new Set<string>()): Value | undefined {
    const index = this.#in.files.get(path);
    if (index?.family !== "ecmascript" || index.surface.entities[slot]?.kind !== "class") return undefined;
    if (!visits(seen, { path, slot })) return undefined;
    const own = index.ofClass.get(slot)?.get(name);
    if (own !== undefined) return { kind: "definition", path, slot: own };
    for (const base of this.#in.bases(path, slot)) {
      const found = base?.kind === "definition" ? this.ofClass(base.path, base.slot, name, seen) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** A field of a component, whose type its base of React's is given. */
  ofComponent(path: string, base: BaseFact | undefined, name: string, given: () => Instance["of"]): Value | undefined {
    if (!base?.of || (name !== "props" && name !== "state")) return undefined;
    const { target } = base;
    const imported = target[0] === TAG.import ? this.#in.files.get(path)?.surface.imports[target[1]]?.name : undefined;
    return given()[componentArgument(target[0] === TAG.member ? target[2] : imported, name)];
  }

  /** A type that names itself was not followed where it was stated. */
  ofAlias(value: Definition | Instance, name: string, types: boolean): Value | undefined {
    if (value.kind !== "instance" || value.also) return undefined;
    const index = this.#in.files.get(value.path);
    const entity = index?.family === "ecmascript" ? index.surface.entities[value.slot] : undefined;
    const stated = entity?.kind === "type" ? entity.value : undefined;
    if (!stated) return undefined;
    return this.#in.withoutCycles(`l${name}:${value.slot}:${value.path}`, () =>
      this.#in.members.of(this.#in.behind(value, stated), name, types),
    );
  }

  /** A value of any field; unknown inside another such value, because each would multiply the work. */
  any(value: Value): Value | undefined {
    return this.#in.withoutCycles(ANY_MEMBER, () => together(this.#fields(value)));
  }

  #fields(value: Value): (Value | undefined)[] {
    if (value.kind === "record")
      return value.members.slice(0, MAX_FIELDS).map(([, member]) => this.#in.evaluate(value.path, member, value.of));
    if (value.kind !== "instance") return [];
    const parts = [value, ...this.#in.augmentations.of(value.path, value.slot)];
    const fields = parts.flatMap(({ path, slot }) =>
      [...(this.#in.files.get(path)?.properties.get(slot)?.keys() ?? [])].map((name) => ({ path, slot, name })),
    );
    return fields
      .slice(0, MAX_FIELDS)
      .map(({ path, slot, name }) => this.#in.members.field({ kind: "instance", path, slot, of: value.of }, name));
  }

  /** A member that another file adds to a type by the name of its module. */
  added(path: string, slot: number, name: string, seen: Set<string>, of: () => Instance["of"]): Value | undefined {
    for (const part of this.#in.augmentations.of(path, slot)) {
      const found = this.#in.members.ownOrInherited(part.path, part.slot, name, seen, of);
      if (found && found.kind !== "outside") return found;
    }
    return undefined;
  }

  /** A member that a namespace adds to the class, function or type of its name. */
  inNamespace(path: string, slot: number, name: string): Value | undefined {
    const index = this.#in.files.get(path);
    const own = index?.surface.entities[slot];
    if (index?.family !== "ecmascript" || !own) return undefined;
    for (const namespace of index.namespaces.get(namespaceKey(own)) ?? []) {
      const found = index.members.get(namespace)?.get(name);
      if (found !== undefined) return { kind: "definition", path, slot: found };
    }
    return undefined;
  }

  /** A class and interfaces of one name are one type: the first that is asked looks into all others. */
  merged(
    index: SurfaceIndex,
    path: string,
    slot: number,
    name: string,
    seen: Set<string>,
    of: () => Instance["of"],
  ): Value | undefined {
    const own = index.surface.entities[slot];
    if (index.family !== "ecmascript" || !own || own.parent >= 0) return undefined;
    const all = index.top.get(own.name) ?? [];
    const asked = `${own.name} ${path}`;
    if (all.length < 2 || seen.has(asked)) return undefined;
    seen.add(asked);
    const others = all.filter((other) => {
      const kind = index.surface.entities[other]?.kind;
      return other !== slot && (kind === "class" || kind === "interface");
    });
    const having = others.find(
      (other) => index.members.get(other)?.has(name) || index.properties.get(other)?.has(name),
    );
    for (const other of having === undefined ? others : [having]) {
      const found = this.#in.members.ownOrInherited(path, other, name, seen, of);
      if (found && found.kind !== "outside") return found;
    }
    return undefined;
  }
}
