/** Finds a member of a value: its own, one written outside its type or in another file, or one of its bases. */
import { ANY_MEMBER, METACLASS } from "../../expression.ts";
import type { BaseFact } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";
import type { ModuleResolver } from "../../modules/module.ts";
import { partNamed } from "../cpp/library.ts";
import { csharpProperty } from "../csharp/library.ts";
import { EcmascriptMembers, type EcmascriptMembersInput } from "../ecmascript/ecmascript_members.ts";
import { firstBuilt } from "../names/builds.ts";
import type { Names } from "../names/names.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import type { SurfaceIndex } from "../project/surface_index.ts";
import { methodOfClass } from "../ruby/classes.ts";
import { mayBeNumber } from "../rust/numbers.ts";
import { visits } from "../visited_types.ts";
import type { TypeParts } from "./type_parts.ts";
import { elementAt, OUTSIDE, type Value } from "./values.ts";

/** The method that `value[index]` calls. */
const INDEXING: Partial<Record<Family, string>> = {
  c: "operator[]",
  python: "__getitem__",
  csharp: "this",
  rust: "index",
};

/** Languages whose classes have type parameters, and give their bases arguments for them. */
const GENERIC = /^(ecmascript|csharp|jvm|python|php|c)$/;

/** Languages in which a method may be in another file than its type. */
const DETACHING = /^(go|lua|c)$/;

/** Evaluated only if they are needed: a class may have many bases, each with arguments of its own. */
type LazyArguments = () => Instance["of"];
const NONE: LazyArguments = () => [];

type Definition = Extract<Value, { kind: "definition" }>;
type Instance = Extract<Value, { kind: "instance" }>;

export interface MembersInput extends Omit<EcmascriptMembersInput, "members"> {
  modules: (family: Family) => ModuleResolver;
  names: Names;
  parts: TypeParts;
}

export class Members {
  readonly #in: MembersInput;
  readonly #ecmascript: EcmascriptMembers;

  constructor(input: MembersInput) {
    this.#in = input;
    this.#ecmascript = new EcmascriptMembers({ ...input, members: this });
  }

  of(value: Value | undefined, name: string, types: boolean): Value | undefined {
    if (!value) return undefined;
    if (value.kind === "library" && /^\d+$/.test(name)) return elementAt(value, Number(name));
    if (value.kind === "library" && value.name === "Record") return value.of[1] ?? OUTSIDE;
    if (value.kind === "library") return csharpProperty(value, name) ?? partNamed(value, name) ?? OUTSIDE;
    if (value.kind === "outside") return OUTSIDE;
    if (value.kind === "module") return this.#in.names.exported(value.paths, name, types);
    if (value.kind === "function") return OUTSIDE;
    if (name === ANY_MEMBER) return this.#ecmascript.any(value);
    if (name === "__class__" && value.kind === "instance")
      return { kind: "definition", path: value.path, slot: value.slot };
    const found = value.kind === "record" ? this.#ofRecord(value, name) : this.#ofDefinition(value, name);
    if (
      found?.kind === "definition" &&
      value.kind === "instance" &&
      (value.unsure || mayBeNumber(this.#in.files, value, name))
    )
      return { ...found, unsure: true };
    if (
      found?.kind === "definition" &&
      value.kind === "instance" &&
      value.also?.length &&
      this.#isOfOther(value, found, name)
    )
      return { ...found, unsure: true };
    if (found && found.kind !== "outside") return found;
    let outside = found;
    for (const other of value.also ?? []) {
      const own = this.of(other, name, types);
      if (own && own.kind !== "outside") return own;
      outside ??= own;
    }
    if (value.kind === "record") return outside;
    // Rust: a value may stand for its type argument.
    const target =
      value.kind === "instance" && value.of.length > 0
        ? this.#dereferenced(value.path, value.slot, value.of)
        : undefined;
    const behind = target && this.ownOrInherited(target.path, target.slot, name, new Set());
    return behind ?? this.ofRubyClass(value, name) ?? this.#ecmascript.ofAlias(value, name, types) ?? outside;
  }

  /** PHP: of several types that a value may have, another has such a member, too. */
  #isOfOther({ path, also }: Instance, found: Definition, name: string): boolean {
    if (this.#in.files.get(path)?.family !== "php") return false;
    return (also ?? []).some((each) => {
      const other = each.kind === "instance" ? this.#ofDefinition(each, name) : undefined;
      return other?.kind === "definition" && (other.slot !== found.slot || other.path !== found.path);
    });
  }

  #ofRecord({ path, members, of }: Extract<Value, { kind: "record" }>, name: string): Value | undefined {
    const member = members.find(([each]) => each === name)?.[1];
    const found = member && this.#in.evaluate(path, member, of);
    return found?.kind === "definition" && of.length > 0 ? { of, ...found } : found;
  }

  #ofDefinition({ kind, path, slot, of }: Definition | Instance, name: string): Value | undefined {
    const ofClass = kind === "definition" ? this.#ecmascript.ofClass(path, slot, name) : undefined;
    const found = ofClass ?? this.ownOrInherited(path, slot, name, new Set(), () => of ?? []);
    if (found && found.kind !== "outside") return found;
    const ofKind =
      kind === "definition"
        ? (this.#ecmascript.inNamespace(path, slot, name) ?? this.#ofMetaclass(path, slot, name))
        : undefined;
    return ofKind ?? found ?? this.#ecmascript.ofClass(path, slot, name);
  }

  /** Python: a class has the members of its metaclass. */
  #ofMetaclass(path: string, slot: number, name: string): Value | undefined {
    const index = this.#in.files.get(path);
    if (index?.family !== "python" || index.surface.entities[slot]?.kind !== "class") return undefined;
    const metaclass = this.ownOrInherited(path, slot, METACLASS, new Set());
    return metaclass?.kind === "definition"
      ? this.ownOrInherited(metaclass.path, metaclass.slot, name, new Set())
      : undefined;
  }

  /** Ruby: a method that every class has. */
  ofRubyClass(of: DefinitionRef, name: string): Value | undefined {
    return methodOfClass(this.#in.files, (path, slot) => this.#allBases(path, slot), of, name);
  }

  /** A member of the class, or of one of the classes around it; in Ruby only constants are visible from inside. */
  around(path: string, slot: number, name: string): Value | undefined {
    if (this.#in.files.get(path)?.family === "ruby" && !/^\p{Lu}/u.test(name))
      return this.ownOrInherited(path, slot, name, new Set());
    let outside: Value | undefined;
    for (let at = slot; at >= 0; at = this.#in.files.get(path)?.surface.entities[at]?.parent ?? -1) {
      const found = this.ownOrInherited(path, at, name, new Set());
      if (found && found.kind !== "outside") return found;
      outside ??= found;
    }
    return outside;
  }

  /** A field of the type itself. */
  field({ path, slot, of }: Instance, name: string): Value | undefined {
    const property = this.#in.files.get(path)?.properties.get(slot)?.get(name);
    if (!property) {
      // Rust: the fields of a type that is implemented in another file.
      const extended = this.#in.parts.extendedType(path, slot);
      if (extended) return this.field({ kind: "instance", path: extended.path, slot: extended.slot, of }, name);
      const target = this.#dereferenced(path, slot, of);
      return target && this.field(target, name);
    }
    return this.#in.withoutCycles(`p${name}:${slot}:${path}`, () => this.#in.evaluate(path, property, of));
  }

  /** `given`: the type arguments of the value, which TypeScript's members have. */
  ownOrInherited(
    path: string,
    slot: number,
    stated: string,
    seen: Set<string>,
    given: LazyArguments = NONE,
  ): Value | undefined {
    const index = this.#in.files.get(path);
    if (!index || !visits(seen, { path, slot })) return undefined;
    const of = GENERIC.test(index.family) || index.family === "go" ? given : NONE;
    const name = stated === "[]" ? (INDEXING[index.family] ?? stated) : stated;
    const declaring = this.#in.names.c.detached.classOf(path, slot);
    if (declaring) return this.ownOrInherited(declaring.path, declaring.slot, name, seen);
    const own = index.members.get(slot)?.get(name);
    if (own !== undefined)
      return this.#in.names.c.detached.writtenElsewhere(path, own) ?? { kind: "definition", path, slot: own, of: of() };
    const property = index.properties.get(slot)?.get(name);
    const detached = this.#detachedMethod(index, path, slot, name);
    if (detached) return detached;
    if (property) return this.field({ kind: "instance", path, slot, of: of() }, name);
    const reopened = this.#in.parts.reopened(path, slot, name);
    if (reopened) return reopened;
    const extended = this.#in.parts.extendedType(path, slot);
    if (extended) return this.ownOrInherited(extended.path, extended.slot, name, seen);
    const merged = this.#ecmascript.merged(index, path, slot, name, seen, of);
    if (merged && merged.kind !== "outside") return merged;
    const inherited = this.inherited(path, slot, name, seen, of);
    if (inherited && inherited.kind !== "outside") return inherited;
    const target = this.#dereferenced(path, slot, []);
    if (target) return this.ownOrInherited(target.path, target.slot, name, seen) ?? inherited;
    return (
      (index.family === "ecmascript" ? this.#ecmascript.added(path, slot, name, seen, of) : undefined) ?? inherited
    );
  }

  /** A member of one of the bases. */
  inherited(
    path: string,
    slot: number,
    name: string,
    seen = new Set<string>(),
    of: LazyArguments = NONE,
  ): Value | undefined {
    const index = this.#in.files.get(path);
    // Ruby looks into modules before the superclass, the last one first.
    const isRuby = index?.family === "ruby";
    // An outside base does not hide the members of the others; in PHP it is mostly an interface, in Go a mutex.
    const isMixed = isRuby || /^(rust|php|go)$/.test(index?.family ?? "");
    const bases = this.#allBases(path, slot);
    // A base outside the project rarely sets the fields that a class of Ruby reads.
    const ofOutside = name.startsWith("@") ? undefined : OUTSIDE;
    let outside: Value | undefined;
    const stated = (at: number): BaseFact | undefined => {
      const own = index && GENERIC.test(index.family) ? index.surface.bases.filter((each) => each.slot === slot) : [];
      // The bases that other parts of the type state come first.
      return own[at - (bases.length - own.length)];
    };
    for (const [at, base] of (isRuby ? bases.toReversed() : bases).entries()) {
      const given = () => stated(at)?.of?.map((each) => (each ? this.#in.evaluate(path, each, of()) : undefined)) ?? [];
      const found =
        base?.kind === "definition"
          ? this.#ofBase(base, name, seen, given)
          : base && base.kind !== "outside"
            ? undefined
            : (this.#ecmascript.ofComponent(path, stated(at), name, given) ?? ofOutside);
      if (found?.kind === "outside" && isMixed) outside = found;
      else if (found) return found;
    }
    return outside;
  }

  /** JavaScript: a function may make a base of several classes. */
  #ofBase(base: Definition, name: string, seen: Set<string>, given: LazyArguments): Value | undefined {
    const own =
      this.ownOrInherited(base.path, base.slot, name, seen, given) ??
      this.#ecmascript.ofAlias({ ...base, kind: "instance", of: [], also: undefined }, name, false);
    if (!base.also || (own && own.kind !== "outside")) return own;
    for (const other of base.also) {
      const found =
        other.kind === "definition" ? this.ownOrInherited(other.path, other.slot, name, seen, NONE) : undefined;
      if (found && found.kind !== "outside") return found;
    }
    return own;
  }

  /** Rust: the type that a value stands for by its `Deref`. */
  #dereferenced(path: string, slot: number, of: Instance["of"]): Instance | undefined {
    const index = this.#in.files.get(path);
    const members = index?.family === "rust" ? index.members.get(slot) : undefined;
    const target = members?.has("deref") ? members.get("Target") : undefined;
    const type = target === undefined ? undefined : index?.surface.entities[target]?.value;
    const value = type && this.#in.withoutCycles(`d${slot}:${path}`, () => this.#in.evaluate(path, type, of));
    return value?.kind === "instance" ? value : undefined;
  }

  /** Whether a type is the other, or extends or implements it. */
  inherits(type: Instance | Definition, other: Instance | Definition, seen = new Set<string>()): boolean {
    if (type.path === other.path && type.slot === other.slot) return true;
    if (!visits(seen, type)) return false;
    return this.#allBases(type.path, type.slot).some(
      (base) => base?.kind === "definition" && this.inherits(base, other, seen),
    );
  }

  /** The bases of all parts of a type that is written in several places: only one of them need state the superclass. */
  #allBases(path: string, slot: number): readonly (Value | undefined)[] {
    const parts = this.#in.parts.otherParts(path, slot);
    const others = parts
      .flatMap((part) => this.#in.bases(part.path, part.slot))
      .filter((base) => base?.kind === "definition");
    // The modules that this part includes come last, as they do in the text of one class.
    return [...others, ...this.#in.bases(path, slot)];
  }

  /** A method written outside its type: in the same file, or in another of the same package. */
  #detachedMethod(index: SurfaceIndex, path: string, slot: number, name: string): Value | undefined {
    const type = index.surface.entities[slot]?.name;
    const own = index.detached.get(`${type}.${name}`);
    if (own !== undefined) return { kind: "definition", path, slot: own };
    if (!DETACHING.test(index.family)) return undefined;
    const siblings = this.#in.modules(index.family).siblings?.(path) ?? [];
    return firstBuilt(this.#in.files, path, siblings, (sibling) => {
      const other = this.#in.files.get(sibling)?.detached.get(`${type}.${name}`);
      return other === undefined ? undefined : { kind: "definition", path: sibling, slot: other };
    });
  }
}
