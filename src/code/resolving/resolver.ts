/** Resolves the facts of a file to its edges, and records what the result depends on. */
import type { PrivateFacts } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import type { ModuleResolver } from "../modules/module.ts";
import { moduleResolvers } from "../modules/registry.ts";
import { EdgeFinder, type FileEdges, type ResolverFiles } from "./edge_finder.ts";
import { Evaluator } from "./evaluating/evaluator.ts";
import { type Dependencies, DependencyRecorder } from "./project/dependencies.ts";
import type { WholeProject } from "./project/project_files.ts";
import { SurfaceCache } from "./project/surface_cache.ts";
import type { SurfaceIndex } from "./project/surface_index.ts";

export interface ResolvedFile extends FileEdges {
  /** Hashes of what the edges depend on. */
  dependencies: Uint32Array;
}

const NOTHING: FileEdges = { edges: [], unresolved: { names: 0, imports: [], external: [] } };

export class Resolver {
  readonly #recorder = new DependencyRecorder();
  readonly #project: WholeProject;
  readonly #recorded: WholeProject;
  readonly #surfaces: SurfaceCache;
  readonly #files: ResolverFiles;
  #evaluator: Evaluator;
  /** The surface that was asked for last, and where that was recorded: it is often asked for again at once. */
  #last: { path: string; into: Dependencies; index: SurfaceIndex | undefined } | undefined;

  constructor(project: WholeProject) {
    this.#project = project;
    this.#surfaces = new SurfaceCache(project.surfaces);
    this.#files = { get: (path) => this.#index(path), has: (path) => this.#index(path) !== undefined };
    this.#recorded = this.#recordedProject();
    this.#evaluator = this.#newEvaluator();
  }

  #newEvaluator(): Evaluator {
    return new Evaluator(this.#files, this.#recordedModules(), this.#recorder, (name, inTests) =>
      this.#recorded.named(name, inTests),
    );
  }

  /** Edges of all calls of the file, or of some of them. */
  resolve(path: string, facts: PrivateFacts, calls = facts.calls): ResolvedFile {
    this.#recorder.begin();
    this.#surfaces.nextTurn();
    const index = this.#index(path);
    const found = (index && this.#edgesOf(path, index, facts, calls)) ?? NOTHING;
    for (const { to } of found.edges) this.#recorder.current.surfaces.add(to.path);
    return { ...found, dependencies: this.#recorder.end(path) };
  }

  /** Undefined if the types in the file are nested so deeply that they fill the stack, which no ordinary file does. */
  #edgesOf(
    path: string,
    index: SurfaceIndex,
    facts: PrivateFacts,
    calls: PrivateFacts["calls"],
  ): FileEdges | undefined {
    try {
      return new EdgeFinder(path, index, facts, this.#files, this.#evaluator, this.#recorded).find(calls);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The old one is in the middle of its work.
      this.#evaluator = this.#newEvaluator();
      this.#recorder.begin();
      this.#index(path);
      return undefined;
    }
  }

  #index(path: string): SurfaceIndex | undefined {
    const { current } = this.#recorder;
    const last = this.#last;
    if (last && last.into === current && last.path === path) return last.index;
    current.surfaces.add(path);
    const index = this.#surfaces.get(path);
    this.#last = { path, into: current, index };
    return index;
  }

  /** The project, with every lookup recorded as a dependency. */
  #recordedProject(): WholeProject {
    const project = this.#project;
    return {
      ...project,
      surfaces: { get: (path) => this.#index(path)?.surface },
      paths: {
        has: (path) => {
          this.#recorder.current.paths.add(path);
          return project.paths.has(path);
        },
        [Symbol.iterator]: () => project.paths[Symbol.iterator](),
      },
      named: (name, inTests) => {
        this.#recorder.current.names.add(name);
        return project.named(name, inTests);
      },
    };
  }

  #recordedModules(): (family: Family) => ModuleResolver {
    const modules = moduleResolvers(this.#recorded);
    const known = new Map<Family, ModuleResolver>();
    return (family) => {
      // The `shape` stands for everything that a module resolver reads while it is built.
      const found = known.get(family) ?? this.#recorder.unrecorded(() => modules(family));
      known.set(family, found);
      if (found.shape !== "") this.#recorder.current.families.add(family);
      return found;
    };
  }
}
