/**
 * From a file's facts to its edges. What an edge is based on is said with it: a target found through imports and types,
 * in the same file, or only because nothing else in the project has that name. Several candidates stay candidates.
 */
import type { Relation, Resolution, Unresolved } from "../../store/code.ts";
import type { Expression, FileFacts } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import { familyOf } from "../languages/registry.ts";
import type { ModuleResolver } from "../modules/module.ts";
import { moduleResolvers } from "../modules/registry.ts";
import { isTestPath, stem } from "../test_paths.ts";
import { COMMON_NAMES } from "./common_names.ts";
import { noNeeds, Trail } from "./dependencies.ts";
import { type Evaluator, makeEvaluator } from "./evaluator.ts";
import type { WholeProject } from "./project_files.ts";
import { indexSurface, type SurfaceIndex, type Surfaces } from "./surface_index.ts";
import type { Value } from "./values.ts";

/** A definition: its file, and its slot there; -1 is the file itself. */
export interface Place {
  path: string;
  slot: number;
}

export interface FoundEdge {
  from: number;
  to: Place;
  relation: Relation;
  resolution: Resolution;
  confidence: number;
  line: number;
  count: number;
}

export interface FileEdges {
  edges: FoundEdge[];
  unresolved: Unresolved;
  /** What they were worked out from, as numbers. */
  needs: Uint32Array;
}

/** What only the file's own edges depend on. */
export type Inside = Pick<FileFacts, "calls" | "mentions"> & {
  importLines: readonly number[];
  baseLines: readonly number[];
};

export function insideOf({ calls, mentions, imports, bases }: FileFacts): Inside {
  return { calls, mentions, importLines: imports.map((each) => each.line), baseLines: bases.map((each) => each.line) };
}

export interface Resolver {
  resolve(path: string, inside: Inside): FileEdges;
}

/** More candidates than this say nothing about any of them. */
const MOST_CANDIDATES = 5;
const CONFIDENCE = { direct: 1, typed: 0.95, unique: 0.6, path: 0.9, word: 0.5 };
/** What a call can lead to. */
const CALLED = new Set(["function", "method", "class", "constant", "test"]);

export function makeResolver(project: WholeProject): Resolver {
  const trail = new Trail();
  const indexes = new Map<string, SurfaceIndex | undefined>();
  const look = (path: string): SurfaceIndex | undefined => {
    trail.at.surfaces.add(path);
    const known = indexes.get(path);
    if (known || indexes.has(path)) return known;
    const surface = project.surfaces.get(path);
    const index = surface && indexSurface(surface, familyOf(surface.language));
    indexes.set(path, index);
    return index;
  };
  const files: Files = { get: look, has: (path) => look(path) !== undefined };
  const watched: WholeProject = {
    ...project,
    surfaces: { get: (path) => look(path)?.surface },
    paths: {
      has: (path) => {
        trail.at.paths.add(path);
        return project.paths.has(path);
      },
      [Symbol.iterator]: () => project.paths[Symbol.iterator](),
    },
    named: (name) => {
      trail.at.names.add(name);
      return project.named(name);
    },
  };
  const evaluator = makeEvaluator(files, watchedModules(watched, trail), trail);
  return {
    resolve: (path, inside) => {
      trail.begin();
      const index = look(path);
      const found = index
        ? new EdgeFinder(path, index, inside, files, evaluator, watched).find()
        : { edges: [], unresolved: { names: 0, imports: [], external: [] } };
      for (const { to } of found.edges) trail.at.surfaces.add(to.path);
      return { ...found, needs: trail.end(path) };
    },
  };
}

interface Files extends Surfaces {
  has(path: string): boolean;
}

function watchedModules(project: WholeProject, trail: Trail): (family: Family) => ModuleResolver {
  const modules = moduleResolvers(project);
  return (family) => {
    const before = trail.at;
    // What it looks at while it is made is its shape.
    trail.at = noNeeds();
    const found = modules(family);
    trail.at = before;
    if (found.shape !== "") trail.at.families.add(family);
    return found;
  };
}

class EdgeFinder {
  readonly #path: string;
  readonly #index: SurfaceIndex;
  readonly #inside: Inside;
  readonly #files: Files;
  readonly #evaluator: Evaluator;
  readonly #project: WholeProject;
  readonly #edges = new Map<string, FoundEdge>();
  #unresolved = 0;

  constructor(
    path: string,
    index: SurfaceIndex,
    inside: Inside,
    files: Files,
    evaluator: Evaluator,
    project: WholeProject,
  ) {
    this.#path = path;
    this.#index = index;
    this.#inside = inside;
    this.#files = files;
    this.#evaluator = evaluator;
    this.#project = project;
  }

  find(): Omit<FileEdges, "needs"> {
    const { missing, external } = this.#imports();
    this.#bases();
    for (const { from, line, callee } of this.#inside.calls) this.#call(from, line, callee);
    for (const { text, line } of this.#inside.mentions) this.#mention(text, line);
    if (isTestPath(this.#path)) this.#tests();
    return {
      edges: [...this.#edges.values()],
      unresolved: { names: this.#unresolved, imports: missing, external },
    };
  }

  #add(edge: Omit<FoundEdge, "count">): void {
    const { from, to, relation, resolution } = edge;
    const key = `${from}>${to.slot}:${to.path}>${relation}>${resolution}`;
    const known = this.#edges.get(key);
    if (known) known.count += 1;
    else this.#edges.set(key, { ...edge, count: 1 });
  }

  #imports(): { missing: string[]; external: string[] } {
    const missing = new Set<string>();
    const external = new Set<string>();
    for (const [place, fact] of this.#index.surface.imports.entries()) {
      const to = this.#evaluator.target(this.#path, place);
      if (to.kind === "missing") missing.add(fact.source);
      else if (to.kind === "external") external.add(to.package);
      else {
        for (const path of this.#importedFiles(place, to)) {
          if (path === this.#path) continue;
          const line = this.#inside.importLines[place] ?? 0;
          this.#add({
            from: -1,
            to: { path, slot: -1 },
            relation: "IMPORTS",
            resolution: "import",
            confidence: 1,
            line,
          });
        }
      }
    }
    external.delete("");
    return { missing: [...missing].sort(), external: [...external].sort() };
  }

  /** Of a package, the file that has the name; all of them where the package is imported whole. */
  #importedFiles(
    place: number,
    to: { kind: "file" | "package"; path?: string; paths?: readonly string[] },
  ): readonly string[] {
    if (to.kind === "file" && this.#index.family !== "python") return to.path === undefined ? [] : [to.path];
    const value = this.#evaluator.evaluate(this.#path, ["i", place]);
    // What is imported out of a package may be a module of it.
    if (to.kind === "file")
      return [to.path ?? "", ...(value?.kind === "module" ? value.paths : [])].filter((path) => this.#files.has(path));
    const paths = value?.kind === "definition" ? [value.path] : (to.paths ?? []);
    return paths.filter((path) => this.#files.has(path));
  }

  #bases(): void {
    for (const [at, { slot, kind, target }] of this.#index.surface.bases.entries()) {
      const place = this.#evaluator.bases(this.#path, slot)[this.#basePlace(at)];
      const relation = kind === "extends" ? "EXTENDS" : "IMPLEMENTS";
      const line = this.#inside.baseLines[at] ?? 0;
      if (place?.kind === "definition") {
        this.#add({
          from: slot,
          to: { path: place.path, slot: place.slot },
          relation,
          line,
          ...this.#based(place.path, target),
        });
      } else if (!place) {
        this.#guess(slot, line, relation, target, "tops");
      }
    }
  }

  /** Which of its class's bases this is. */
  #basePlace(at: number): number {
    const { bases } = this.#index.surface;
    const slot = bases[at]?.slot;
    return bases.slice(0, at).filter((base) => base.slot === slot).length;
  }

  #call(from: number, line: number, callee: Expression): void {
    const value = this.#evaluator.evaluate(this.#path, callee);
    const place = this.#callable(value, callee);
    if (place) {
      this.#add({ from, to: place, relation: "CALLS", line, ...this.#based(place.path, callee) });
    } else if (!value) {
      if (callee[0] === "g") this.#guessMember(from, line, callee);
      else if (callee[0] === "n" || callee[0] === "o") this.#guess(from, line, "CALLS", callee, "tops");
      else this.#unresolved += 1;
    }
  }

  #callable(value: Value | undefined, callee: Expression): Place | undefined {
    if (value?.kind === "instance" && callee[0] === "u") return { path: value.path, slot: value.slot };
    if (value?.kind !== "definition") return undefined;
    const entity = this.#files.get(value.path)?.surface.entities[value.slot];
    return entity && CALLED.has(entity.kind) ? { path: value.path, slot: value.slot } : undefined;
  }

  #based(path: string, expression: Expression): { resolution: Resolution; confidence: number } {
    const direct =
      expression[0] === "s" || expression[0] === "i" || (expression[0] === "g" && expression[1][0] === "i");
    return {
      resolution: path === this.#path ? "same-file" : "import",
      confidence: direct ? CONFIDENCE.direct : CONFIDENCE.typed,
    };
  }

  /** A method of a value nobody knows: only where its name is the project's own. */
  #guessMember(from: number, line: number, callee: Expression & readonly ["g", Expression, string]): void {
    const of = this.#evaluator.evaluate(this.#path, callee[1]);
    if (of || COMMON_NAMES.has(callee[2])) this.#unresolved += 1;
    else this.#guess(from, line, "CALLS", callee, "members");
  }

  #guess(from: number, line: number, relation: Relation, expression: Expression, among: "tops" | "members"): void {
    const name =
      expression[0] === "g" || expression[0] === "o" ? expression[2] : expression[0] === "n" ? expression[1] : "";
    const { family } = this.#index;
    const open = family !== "ecmascript" && family !== "python";
    const found =
      among === "members" || open
        ? this.#project.named(name).filter((each) => each.family === family && each.member === (among === "members"))
        : [];
    this.#candidates(from, line, relation, found);
    if (found.length !== 1) this.#unresolved += 1;
  }

  #candidates(from: number, line: number, relation: Relation, found: readonly Place[]): void {
    if (found.length === 0 || found.length > MOST_CANDIDATES) return;
    const [resolution, confidence] =
      found.length === 1
        ? (["unique-name", CONFIDENCE.unique] as const)
        : (["ambiguous", Math.round(100 / found.length) / 100] as const);
    for (const { path, slot } of found) {
      this.#add({ from, to: { path, slot }, relation, resolution, confidence, line });
    }
  }

  /** What a document puts in code marks: the path of a file, or a name that is one thing only. */
  #mention(text: string, line: number): void {
    const path = text.replace(/:\d+$/, "");
    if (this.#project.paths.has(path) && this.#files.has(path)) {
      const confidence = CONFIDENCE.path;
      this.#add({ from: -1, to: { path, slot: -1 }, relation: "DOCUMENTS", resolution: "import", confidence, line });
      return;
    }
    const name =
      text
        .replace(/\(.*\)$/, "")
        .split(/[.#:]+/)
        .at(-1) ?? "";
    if (name.length < 4 || COMMON_NAMES.has(name)) return;
    const found = this.#project.named(name);
    this.#candidates(-1, line, "DOCUMENTS", found);
  }

  /** What a test calls, it tests; and what a file of tests imports is tested by it, the file of its own name above all. */
  #tests(): void {
    for (const edge of [...this.#edges.values()]) {
      const { to, relation, resolution, from, line } = edge;
      if (resolution === "ambiguous" || isTestPath(to.path) || to.path === this.#path) continue;
      if (relation === "CALLS")
        this.#add({ from, to, relation: "TESTS", resolution, confidence: edge.confidence, line });
      if (relation !== "IMPORTS") continue;
      const confidence = stem(to.path) === stem(this.#path) ? 1 : 0.6;
      this.#add({ from: -1, to, relation: "TESTS", resolution, confidence, line });
    }
  }
}
