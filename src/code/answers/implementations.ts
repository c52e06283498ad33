/**
 * Implementations of an interface, class or method: definitions that extend or implement it, directly or through others,
 * and methods that override it. A Go type implements an interface if it has methods of all its names with the same number
 * of parameters; dex does not compare their types.
 */
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow, Resolution } from "../../store/code.ts";
import { folderOf } from "../modules/module.ts";
import { cached, filesOf } from "./cache.ts";
import type { Target } from "./target.ts";

export interface Implementation {
  entity: EntityRow;
  /** `method-set`: by the names of its methods, without a statement in the code. */
  resolution: Resolution | "method-set";
  confidence: number;
  line: number;
  /** Number of bases in between, plus one. */
  distance: number;
  via?: string;
}

const MAX_FOUND = 2000;
const METHOD_SET_CONFIDENCE = 0.9;
const OWNERS = new Set(["class", "interface", "type"]);

export function implementations(store: CodeReader, { symbols, file }: Target): Implementation[] {
  const wanted = file ? store.entities(file.no) : symbols;
  const found = new Map<number, Implementation>();
  for (const symbol of wanted) {
    if (symbol.kind === "method") for (const each of inObjects(store, symbol)) found.set(each.entity.no, each);
    const owner = symbol.kind === "method" ? ownerOf(store, symbol) : symbol;
    if (!owner || !OWNERS.has(owner.kind)) continue;
    for (const each of typesBelow(store, owner)) {
      const entity = symbol === owner ? each.entity : methodOf(store, each.entity, symbol.name);
      if (!entity || found.has(entity.no) || found.size >= MAX_FOUND) continue;
      const line = symbol === owner ? each.line : entity.first_line;
      found.set(entity.no, { ...each, entity, line });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      a.distance - b.distance ||
      b.confidence - a.confidence ||
      compareText(a.entity.path, b.entity.path) ||
      a.entity.first_line - b.entity.first_line,
  );
}

/** JavaScript: functions of objects whose type states the method. */
function inObjects(store: CodeReader, method: EntityRow): Implementation[] {
  return store.incoming(method.no, ["IMPLEMENTS"]).flatMap(({ entity, edge }) => {
    const { resolution, confidence, line } = edge;
    return resolution === "ambiguous" ? [] : [{ entity, resolution, confidence, line, distance: 1 }];
  });
}

/** Types that extend or implement a type, the nearest first. */
function typesBelow(store: CodeReader, top: EntityRow): Implementation[] {
  const seen = new Set([top.no]);
  const found: Implementation[] = [];
  let level: { entity: EntityRow; via?: string }[] = [{ entity: top }];
  for (let distance = 1; level.length > 0 && found.length < MAX_FOUND; distance += 1) {
    const next: typeof level = [];
    const add = (one: Omit<Implementation, "distance">): void => {
      if (seen.has(one.entity.no)) return;
      seen.add(one.entity.no);
      found.push({ ...one, distance });
      next.push({ entity: one.entity, via: one.entity.qualified });
    };
    for (const { entity, via } of level) {
      const through = via === undefined ? {} : { via };
      for (const { entity: below, edge } of store.incoming(entity.no, ["EXTENDS", "IMPLEMENTS"])) {
        const { resolution, confidence, line } = edge;
        if (resolution !== "ambiguous") add({ entity: below, resolution, confidence, line, ...through });
      }
      for (const type of goTypesWith(store, entity)) {
        const line = type.first_line;
        add({ entity: type, resolution: "method-set", confidence: METHOD_SET_CONFIDENCE, line, ...through });
      }
    }
    level = next;
  }
  return found;
}

function ownerOf(store: CodeReader, method: EntityRow): EntityRow | undefined {
  const parent = method.parent === null ? undefined : store.entity(method.parent);
  if (parent && parent.kind !== "file") return parent;
  // A method written outside its type.
  const [type] = method.qualified.split(".");
  const folder = folderOf(method.path);
  return store.named(type ?? "").find((each) => OWNERS.has(each.kind) && folderOf(each.path) === folder);
}

function methodOf(store: CodeReader, type: EntityRow, name: string): EntityRow | undefined {
  const inside = store.entities(type.file).find((each) => each.parent === type.no && each.name === name);
  if (inside) return inside;
  const folder = folderOf(type.path);
  return store.qualified(`${type.name}.${name}`).find((each) => folderOf(each.path) === folder);
}

interface GoType {
  entity: EntityRow;
  /** Number of parameters by name. */
  methods: ReadonlyMap<string, number>;
}

/** Types of Go whose methods include all of the interface. */
function goTypesWith(store: CodeReader, top: EntityRow): EntityRow[] {
  if (top.kind !== "interface" || !top.path.endsWith(".go")) return [];
  const types = goTypes(store);
  const wanted = methodSet(store, types, top, new Set());
  if (wanted.size === 0) return [];
  const found: EntityRow[] = [];
  for (const { entity, methods: own } of types.values()) {
    if (entity.kind === "interface" || (own.size === 0 && entity.kind !== "class")) continue;
    if (isImplementedBy(own, wanted) || isImplementedBy(methodSet(store, types, entity, new Set()), wanted))
      found.push(entity);
  }
  return found;
}

function isImplementedBy(has: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): boolean {
  return [...wanted].every(([name, count]) => has.get(name) === count);
}

/** Its own methods and those of the types that it embeds. */
function methodSet(
  store: CodeReader,
  types: ReadonlyMap<number, GoType>,
  type: EntityRow,
  seen: Set<number>,
): ReadonlyMap<string, number> {
  const own = types.get(type.no)?.methods ?? new Map<string, number>();
  if (seen.has(type.no)) return own;
  seen.add(type.no);
  const all = new Map(own);
  for (const { entity, edge } of store.outgoing(type.no, ["EXTENDS"])) {
    if (edge.resolution === "ambiguous") continue;
    for (const [name, count] of methodSet(store, types, entity, seen)) if (!all.has(name)) all.set(name, count);
  }
  return all;
}

const goTypes = cached((store): ReadonlyMap<number, GoType> => {
  const types = new Map<number, GoType & { methods: Map<string, number> }>();
  const byName = new Map<string, GoType & { methods: Map<string, number> }>();
  const detached: { key: string; method: EntityRow }[] = [];
  for (const { no, path, language } of filesOf(store)) {
    if (language !== "go") continue;
    for (const entity of store.entities(no)) {
      if (OWNERS.has(entity.kind)) {
        const type = { entity, methods: new Map<string, number>() };
        types.set(entity.no, type);
        byName.set(`${folderOf(path)}:${entity.name}`, type);
      } else if (entity.kind === "method") {
        const owner = types.get(entity.parent ?? -1);
        if (owner) owner.methods.set(entity.name, parameterCount(entity));
        else detached.push({ key: `${folderOf(path)}:${entity.qualified.split(".")[0]}`, method: entity });
      }
    }
  }
  for (const { key, method } of detached) byName.get(key)?.methods.set(method.name, parameterCount(method));
  return types;
});

/** The number of parameters in a signature such as `func (s *Store) Get(a, b string) error`. */
function parameterCount({ name, signature }: EntityRow): number {
  const start = signature.indexOf(`${name}(`);
  if (start < 0) return 0;
  let depth = 0;
  let count = 0;
  let isEmpty = true;
  for (const char of signature.slice(start + name.length)) {
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
    else if (char === "," && depth === 1) count += 1;
    else if (depth >= 1 && char !== " ") isEmpty = false;
    if (depth === 0) break;
  }
  return isEmpty ? 0 : count + 1;
}
