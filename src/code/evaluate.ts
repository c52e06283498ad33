/**
 * What expressions of one file mean, given what all files show. Pure: the same surfaces give the same values, whatever
 * was indexed in which order.
 */
import type { Expression, Surface } from "./facts.ts";
import type { Family } from "./languages/language.ts";
import type { ImportTarget, ModuleResolver } from "./modules/module.ts";
import type { Needs, Trail } from "./needs.ts";
import { awaited, elementOf, libraryCall, libraryValue, OUTSIDE, partAt, type Value } from "./values.ts";

/** Types that are explained by types that are explained by … */
const DEEPEST = 24;
/** Bases whose explanation needs the bases of others, whose explanation needs … */
const MOST_BASES = 12;

export interface Evaluator {
  evaluate(path: string, expression: Expression): Value | undefined;
  /** What an import leads to. */
  target(path: string, place: number): ImportTarget;
  /** Classes and interfaces that a definition is based on. */
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

export interface SurfaceIndex {
  surface: Surface;
  family: Family;
  /** Slots of definitions at the top, by name. */
  top: ReadonlyMap<string, readonly number[]>;
  /** Slots of members by owner and name. */
  members: ReadonlyMap<number, ReadonlyMap<string, number>>;
  properties: ReadonlyMap<number, ReadonlyMap<string, Expression>>;
  /** Methods that are written apart from their type, by `Type.method`. */
  loose: ReadonlyMap<string, number>;
}

export function makeEvaluator(
  files: { get(path: string): SurfaceIndex | undefined },
  modules: (family: Family) => ModuleResolver,
  trail: Trail,
): Evaluator {
  const targets = new Map<string, (ImportTarget | undefined)[]>();
  const baseCache = new Map<string, { found: readonly (Value | undefined)[]; needs: Needs }>();
  /** Bases that are being worked out, and the outermost of them that was asked for again. */
  const open: string[] = [];
  let circle = Number.POSITIVE_INFINITY;
  let busy = new Set<string>();
  let depth = 0;

  function evaluate(path: string, expression: Expression, types = false): Value | undefined {
    if (depth >= DEEPEST) return undefined;
    depth += 1;
    try {
      return read(path, expression, types);
    } finally {
      depth -= 1;
    }
  }

  function read(path: string, expression: Expression, types: boolean): Value | undefined {
    switch (expression[0]) {
      case "s":
        return definition(path, expression[1], types);
      case "i":
        return imported(path, expression[1], types);
      case "n":
        return free(path, expression[1], types);
      case "o":
        return memberOf(path, expression[1], expression[2], new Set()) ?? free(path, expression[2], types);
      case "t":
        return { kind: "instance", path, slot: expression[1], of: [] };
      case "u": {
        const base = bases(path, expression[1])[0];
        return base?.kind === "definition" ? { ...base, kind: "instance", of: [] } : base;
      }
      case "g":
        return member(worth(evaluate(path, expression[1], types)), expression[2], types);
      case "c":
        return returned(path, expression[1]);
      case "w":
        return instance(path, evaluate(path, expression[1]), expression[1], expression[2]);
      case "a":
        return awaited(worth(evaluate(path, expression[1])));
      case "e":
        return elementOf(worth(evaluate(path, expression[1])));
      case "p":
        return partAt(worth(evaluate(path, expression[1])), expression[2]);
      case "h":
        return given(path, expression[1], expression[2], expression[3]);
      case "y":
        return typed(path, expression[1], expression[2]);
    }
  }

  /** A name may be a type and a value at once; the wanted one is taken where there is one. */
  function definition(path: string, slot: number, types: boolean): Value {
    const index = files.get(path);
    const entity = index?.surface.entities[slot];
    if (!index || !entity) return { kind: "definition", path, slot };
    const same = entity.parent < 0 ? (index.top.get(entity.name) ?? []) : [];
    const better = same.find((other) => isType(index, other) === types);
    return { kind: "definition", path, slot: isType(index, slot) === types ? slot : (better ?? slot) };
  }

  function isType(index: SurfaceIndex, slot: number): boolean {
    const kind = index.surface.entities[slot]?.kind;
    return kind === "interface" || kind === "type";
  }

  function target(path: string, place: number): ImportTarget {
    const index = files.get(path);
    let own = targets.get(path);
    if (!own) {
      own = [];
      targets.set(path, own);
    }
    const known = own[place];
    if (known) return known;
    const fact = index?.surface.imports[place];
    const found: ImportTarget =
      index && fact ? trail.ofImports(path, () => modules(index.family).resolve(path, fact)) : { kind: "missing" };
    own[place] = found;
    return found;
  }

  function imported(path: string, place: number, types: boolean): Value | undefined {
    const to = target(path, place);
    if (to.kind === "external") return OUTSIDE;
    if (to.kind === "missing") return undefined;
    const paths = to.kind === "file" ? [to.path] : to.paths;
    return to.name === "*" || to.name === "" ? { kind: "module", paths } : exported(paths, to.name, types);
  }

  function exported(
    paths: readonly string[],
    name: string,
    types: boolean,
    seen = new Set<string>(),
  ): Value | undefined {
    for (const path of paths) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = exportedBy(path, name, types, seen);
      if (found) return found;
    }
    const family = files.get(paths[0] ?? "")?.family;
    const inside = family && modules(family).inside?.(paths, name);
    return inside === undefined ? undefined : { kind: "module", paths: [inside] };
  }

  function exportedBy(path: string, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const index = files.get(path);
    if (!index) return undefined;
    const { surface, family } = index;
    for (const { name: given, value } of surface.exports) {
      if (given === name && value) return evaluate(path, value, types);
    }
    const slots = (index.top.get(name) ?? []).filter(
      (slot) => family !== "ecmascript" || surface.entities[slot]?.exported,
    );
    const slot = slots.find((each) => isType(index, each) === types) ?? slots[0];
    if (slot !== undefined) return { kind: "definition", path, slot };
    for (const { star } of surface.exports) {
      if (star === undefined || name === "default") continue;
      const found = throughStar(path, star, name, types, seen);
      if (found) return found;
    }
    if (family === "ecmascript") return undefined;
    // Modules may import from each other in a circle.
    return family === "python" ? guarded(`x${name}:${path}`, () => pythonName(path, name, types, seen)) : undefined;
  }

  function throughStar(path: string, place: number, name: string, types: boolean, seen: Set<string>) {
    const to = target(path, place);
    if (to.kind !== "file" && to.kind !== "package") return undefined;
    return exported(to.kind === "file" ? [to.path] : to.paths, name, types, seen);
  }

  /** What a Python module imports is a name of it, too. */
  function pythonName(path: string, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const { imports } = files.get(path)?.surface ?? { imports: [] };
    for (const [place, fact] of imports.entries()) {
      if (fact.star) {
        const found = name.startsWith("_") ? undefined : throughStar(path, place, name, types, seen);
        if (found) return found;
      } else if (fact.local === name) {
        return evaluate(path, ["i", place], types);
      }
    }
    return undefined;
  }

  /** A name that its file does not explain: given by a star import, or by a file that needs no import. */
  function free(path: string, name: string, types: boolean): Value | undefined {
    const index = files.get(path);
    if (name === "") return undefined;
    if (!index || name === "?") return OUTSIDE;
    const { family, surface } = index;
    if (family === "ecmascript") return OUTSIDE;
    let outside = false;
    for (const [place, fact] of surface.imports.entries()) {
      if (!fact.star) continue;
      const to = target(path, place);
      if (to.kind === "external") outside = true;
      const found = throughStar(path, place, name, types, new Set([path]));
      if (found) return found;
    }
    for (const mate of modules(family).mates?.(path) ?? []) {
      if (mate === path) continue;
      const other = files.get(mate);
      const slots = other?.top.get(name);
      if (other && slots?.[0] !== undefined) return definition(mate, slots[0], types);
    }
    return outside || family === "python" ? OUTSIDE : undefined;
  }

  /** What a definition is worth where a value is wanted. */
  function worth(value: Value | undefined): Value | undefined {
    if (value?.kind !== "definition") return value;
    const entity = files.get(value.path)?.surface.entities[value.slot];
    if (!entity?.value || entity.kind === "type") return value;
    return guarded(`v${value.slot}:${value.path}`, () => evaluate(value.path, entity.value as Expression)) ?? value;
  }

  function guarded(key: string, work: () => Value | undefined): Value | undefined {
    if (busy.has(key)) return undefined;
    busy.add(key);
    try {
      return work();
    } finally {
      busy.delete(key);
    }
  }

  function member(value: Value | undefined, name: string, types: boolean): Value | undefined {
    if (!value) return undefined;
    if (value.kind === "outside" || value.kind === "library") return OUTSIDE;
    if (value.kind === "module") return exported(value.paths, name, types);
    return memberOf(value.path, value.slot, name, new Set());
  }

  function memberOf(path: string, slot: number, name: string, seen: Set<string>): Value | undefined {
    const key = `${slot}:${path}`;
    const index = files.get(path);
    if (!index || seen.has(key)) return undefined;
    seen.add(key);
    const own = index.members.get(slot)?.get(name);
    if (own !== undefined) return { kind: "definition", path, slot: own };
    const property = index.properties.get(slot)?.get(name);
    const apart = apartFrom(index, path, slot, name);
    if (apart) return apart;
    if (property) return guarded(`p${name}:${key}`, () => evaluate(path, property));
    for (const base of bases(path, slot)) {
      if (!base || base.kind === "outside") return OUTSIDE;
      const found = base.kind === "definition" ? memberOf(base.path, base.slot, name, seen) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** A method that stands beside its type: in the same file, or in another of the same package. */
  function apartFrom(index: SurfaceIndex, path: string, slot: number, name: string): Value | undefined {
    const type = index.surface.entities[slot]?.name;
    const own = index.loose.get(`${type}.${name}`);
    if (own !== undefined) return { kind: "definition", path, slot: own };
    for (const mate of index.family === "ecmascript" ? [] : (modules(index.family).mates?.(path) ?? [])) {
      const other = files.get(mate)?.loose.get(`${type}.${name}`);
      if (other !== undefined) return { kind: "definition", path: mate, slot: other };
    }
    return undefined;
  }

  function bases(path: string, slot: number): readonly (Value | undefined)[] {
    const key = `${slot}:${path}`;
    const known = baseCache.get(key);
    if (known) {
      trail.also(known.needs);
      return known.found;
    }
    const facts = files.get(path)?.surface.bases.filter((base) => base.slot === slot) ?? [];
    if (facts.length === 0) return [];
    const again = open.indexOf(key);
    if (again >= 0 || open.length === MOST_BASES) {
      circle = Math.min(circle, Math.max(0, again));
      return [];
    }
    return apart(key, () => facts.map(({ target: of }) => evaluate(path, of, true) ?? evaluate(path, of)));
  }

  /** As if nothing else were being worked out, so that what is kept does not depend on who asked first. */
  function apart(key: string, work: () => (Value | undefined)[]): readonly (Value | undefined)[] {
    const before = { depth, busy, circle };
    const place = open.push(key) - 1;
    [depth, busy, circle] = [0, new Set(), Number.POSITIVE_INFINITY];
    const { result, needs } = trail.apart(work);
    // Cut short for the sake of one further out: right there, and nowhere else.
    if (circle >= place) baseCache.set(key, { found: result, needs });
    open.pop();
    circle = circle < place ? Math.min(before.circle, circle) : before.circle;
    ({ depth, busy } = before);
    return result;
  }

  function returned(path: string, callee: Expression): Value | undefined {
    if (callee[0] === "g") {
      const of = worth(evaluate(path, callee[1]));
      if (of?.kind === "library") return libraryCall(of, callee[2]);
    }
    const value = evaluate(path, callee);
    if (value?.kind !== "definition") return value?.kind === "outside" ? OUTSIDE : undefined;
    return result(path, callee, value);
  }

  function result(path: string, callee: Expression, value: Extract<Value, { kind: "definition" }>): Value | undefined {
    const entity = files.get(value.path)?.surface.entities[value.slot];
    if (entity?.kind === "constant") {
      // A constant that is another function by a new name.
      const other = worth(value);
      const same = other?.kind !== "definition" || (other.slot === value.slot && other.path === value.path);
      return same ? undefined : result(path, callee, other);
    }
    if (entity?.returns?.[0] === "n" && entity.returns[1] === "this") {
      return callee[0] === "g" ? worth(evaluate(path, callee[1])) : undefined;
    }
    if (entity?.kind === "class") return { ...value, kind: "instance", of: [] };
    if (!entity?.returns) return undefined;
    return guarded(`r${value.slot}:${value.path}`, () => worth(evaluate(value.path, entity.returns as Expression)));
  }

  /** What a callee gives to a function that is handed to it. */
  function given(path: string, callee: Expression, place: number, parameter: number): Value | undefined {
    const value = evaluate(path, callee);
    if (value?.kind !== "definition") return value?.kind === "outside" ? OUTSIDE : undefined;
    const index = files.get(value.path);
    const entity = index?.surface.entities[value.slot];
    if (!index || !entity) return undefined;
    const made = entity.kind === "class" ? index.members.get(value.slot)?.get("constructor") : undefined;
    const same = made === undefined ? (entity.parent < 0 ? index.top.get(entity.name) : undefined) : [made];
    for (const slot of same ?? [value.slot]) {
      const type = index.surface.entities[slot]?.takes?.[place]?.[parameter];
      if (type) return worth(evaluate(value.path, type));
    }
    return undefined;
  }

  function instance(path: string, value: Value | undefined, of: Expression, given: readonly (Expression | null)[]) {
    const held = given.map((each) => (each ? worth(evaluate(path, each)) : undefined));
    if (of[0] === "n") {
      const library = libraryValue(of[1], held);
      if (library) return library;
    }
    return value?.kind === "definition" ? ({ ...value, kind: "instance", of: held } as const) : value;
  }

  function typed(path: string, head: Expression, given: readonly (Expression | null)[]): Value | undefined {
    const held = given.map((each) => (each ? worth(evaluate(path, each)) : undefined));
    const name = head[0] === "n" || head[0] === "i" ? nameOf(path, head) : undefined;
    const value = evaluate(path, head, true);
    if ((!value || value.kind === "outside") && name !== undefined) {
      if (name === "ReturnType" && held[0]?.kind === "definition") return resultOf(held[0]);
      const library = libraryValue(name, held);
      if (library) return library;
    }
    if (value?.kind !== "definition") return value;
    const entity = files.get(value.path)?.surface.entities[value.slot];
    if (entity?.kind === "type" && entity.value) {
      const alias = entity.value;
      return (
        guarded(`a${value.slot}:${value.path}`, () => evaluate(value.path, alias)) ?? {
          ...value,
          kind: "instance",
          of: held,
        }
      );
    }
    return { ...value, kind: "instance", of: held };
  }

  function resultOf(value: Extract<Value, { kind: "definition" }>): Value | undefined {
    const returns = files.get(value.path)?.surface.entities[value.slot]?.returns;
    return returns && worth(evaluate(value.path, returns));
  }

  function nameOf(path: string, head: Expression): string | undefined {
    if (head[0] === "n") return head[1];
    return head[0] === "i" ? files.get(path)?.surface.imports[head[1]]?.name : undefined;
  }

  return { evaluate: (path, expression) => evaluate(path, expression), target, bases };
}

export function indexSurface(surface: Surface, family: Family): SurfaceIndex {
  const top = new Map<string, number[]>();
  const members = new Map<number, Map<string, number>>();
  const loose = new Map<string, number>();
  for (const [slot, { name, qualified, parent, kind }] of surface.entities.entries()) {
    if (parent < 0) {
      if (kind === "test") continue;
      if (kind === "method") {
        if (!loose.has(qualified)) loose.set(qualified, slot);
        continue;
      }
      const same = top.get(name);
      if (same) same.push(slot);
      else top.set(name, [slot]);
      continue;
    }
    const owned = members.get(parent) ?? new Map<string, number>();
    members.set(parent, owned);
    if (!owned.has(name)) owned.set(name, slot);
  }
  const properties = new Map<number, Map<string, Expression>>();
  for (const { owner, name, value } of surface.properties) {
    const owned = properties.get(owner) ?? new Map<string, Expression>();
    properties.set(owner, owned);
    if (!owned.has(name)) owned.set(name, value);
  }
  return { surface, family, top, members, properties, loose };
}
