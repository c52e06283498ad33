/**
 * What expressions of one file mean, given what all files show. Pure: the same surfaces give the same values, whatever
 * was indexed in which order.
 */
import type { Expression } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import type { ImportTarget, ModuleResolver } from "../modules/module.ts";
import type { Needs, Trail } from "./dependencies.ts";
import { makeNames } from "./names.ts";
import type { SurfaceIndex, Surfaces } from "./surface_index.ts";
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

export function makeEvaluator(files: Surfaces, modules: (family: Family) => ModuleResolver, trail: Trail): Evaluator {
  const baseCache = new Map<string, { found: readonly (Value | undefined)[]; needs: Needs }>();
  /** Bases that are being worked out, and the outermost of them that was asked for again. */
  const open: string[] = [];
  let circle = Number.POSITIVE_INFINITY;
  let busy = new Set<string>();
  let depth = 0;
  const { definition, target, imported, exported, free } = makeNames({ files, modules, trail, evaluate, guarded });

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
