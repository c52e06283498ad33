/**
 * Finds the edges of one file. Each edge states its basis: a target found through imports and types, in the same file, or
 * only because nothing else in the project has that name.
 */
import type { Resolution, Unresolved } from "../../store/code.ts";
import { choicesIn, type Expression, nameIn, TAG } from "../expression.ts";
import type { CallFact, PrivateFacts, UseFact } from "../facts.ts";
import { isTestPath, stem } from "../test_paths.ts";
import type { Evaluator } from "./evaluating/evaluator.ts";
import type { Value } from "./evaluating/values.ts";
import { CONFIDENCE, type FoundEdge, FoundEdges } from "./found_edges.ts";
import { isLibraryName } from "./names/library_names.ts";
import { NameGuesser } from "./names/name_guesser.ts";
import { Receivers } from "./names/receivers.ts";
import type { DefinitionRef, WholeProject } from "./project/project_files.ts";
import type { SurfaceIndex, Surfaces } from "./project/surface_index.ts";
import { RubyMethods } from "./ruby/methods.ts";

export interface FileEdges {
  edges: FoundEdge[];
  unresolved: Unresolved;
}

export interface ResolverFiles extends Surfaces {
  has(path: string): boolean;
}

const MIN_MENTION_CHARS = 4;
const RELATION_OF_USE = { type: "USES_TYPE", read: "READS", write: "WRITES" } as const;
/** Kinds of definitions that a call can lead to. */
const CALLABLE = new Set(["function", "method", "class", "constant", "test"]);

export class EdgeFinder {
  readonly #path: string;
  readonly #index: SurfaceIndex;
  readonly #facts: PrivateFacts;
  readonly #files: ResolverFiles;
  readonly #evaluator: Evaluator;
  readonly #project: WholeProject;
  readonly #edges = new FoundEdges();
  readonly #guesser: NameGuesser;
  readonly #ruby: RubyMethods;

  constructor(
    path: string,
    index: SurfaceIndex,
    facts: PrivateFacts,
    files: ResolverFiles,
    evaluator: Evaluator,
    project: WholeProject,
  ) {
    this.#path = path;
    this.#index = index;
    this.#facts = facts;
    this.#files = files;
    this.#evaluator = evaluator;
    this.#project = project;
    this.#ruby = new RubyMethods(path, index, files, evaluator);
    const receivers = new Receivers(path, facts.calls, evaluator, project, index.family);
    this.#guesser = new NameGuesser(path, files, index, evaluator, project, this.#edges, receivers);
  }

  find(calls: readonly CallFact[]): FileEdges {
    const { missing, external } = this.#imports();
    this.#bases();
    for (const call of calls) this.#call(call);
    for (const use of this.#facts.uses) this.#use(use);
    for (const { text, line } of this.#facts.mentions) this.#mention(text, line);
    if (isTestPath(this.#path)) this.#tests();
    return {
      edges: this.#edges.all(),
      unresolved: { names: this.#edges.unresolved, imports: missing, external },
    };
  }

  #imports(): { missing: string[]; external: string[] } {
    const missing = new Set<string>();
    const external = new Set<string>();
    for (const [at, fact] of this.#index.surface.imports.entries()) {
      const to = this.#evaluator.importTarget(this.#path, at);
      if (fact.name !== "*" && fact.name !== "" && to.kind !== "missing" && to.kind !== "external") this.#named(at);
      if (to.kind === "missing") missing.add(fact.source);
      else if (to.kind === "external") external.add(to.package);
      else {
        for (const path of this.#importedFiles(at, to)) {
          if (path === this.#path) continue;
          const line = this.#facts.importLines[at] ?? 0;
          this.#edges.add({
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

  /** The definition that an import names. */
  #named(at: number): void {
    const value = this.#evaluator.evaluate(this.#path, [TAG.import, at]);
    if (value?.kind !== "definition" || value.path === this.#path) return;
    const to = { path: value.path, slot: value.slot };
    const line = this.#facts.importLines[at] ?? 0;
    this.#edges.add({ from: -1, to, relation: "NAMES", resolution: "import", confidence: CONFIDENCE.direct, line });
  }

  /** For a package, the file that defines the name; all of its files when the package is imported whole. */
  #importedFiles(
    at: number,
    to: { kind: "file" | "package"; path?: string; paths?: readonly string[] },
  ): readonly string[] {
    const { family } = this.#index;
    if (to.kind === "file" && family !== "python" && family !== "rust") return to.path === undefined ? [] : [to.path];
    const value = this.#evaluator.evaluate(this.#path, [TAG.import, at]);
    // In Rust the file around a module resolves the module's name.
    if (family === "rust" && value?.kind === "module") return value.paths.filter((path) => this.#files.has(path));
    // A name imported from a Python package may be one of its modules.
    if (to.kind === "file")
      return [to.path ?? "", ...(value?.kind === "module" ? value.paths : [])].filter((path) => this.#files.has(path));
    const paths = value?.kind === "definition" ? [value.path] : (to.paths ?? []);
    return paths.filter((path) => this.#files.has(path));
  }

  #bases(): void {
    /** The position of the next base among those of the same definition. */
    const next = new Map<number, number>();
    for (const [at, { slot, kind, target }] of this.#index.surface.bases.entries()) {
      const index = next.get(slot) ?? 0;
      next.set(slot, index + 1);
      const base = this.#evaluator.bases(this.#path, slot)[index];
      const relation = kind === "extends" ? "EXTENDS" : "IMPLEMENTS";
      const line = this.#facts.baseLines[at] ?? 0;
      if (base?.kind === "definition") {
        this.#edges.add({
          from: slot,
          to: { path: base.path, slot: base.slot },
          relation,
          line,
          ...this.#basis(base.path, target),
        });
      } else if (!base && this.#index.surface.entities[slot]?.kind !== "method") {
        this.#guesser.name(slot, line, relation, target);
      }
    }
  }

  #call({ from, line, callee, bare, made, given }: CallFact): void {
    // C++, C#: `new Name(…)` names a type.
    const named = this.#evaluator.evaluate(this.#path, callee, made && /^c(sharp)?$/.test(this.#index.family));
    const value = this.#evaluator.overload(this.#path, named, given);
    const found = bare && this.#isMacroOfType(value) ? undefined : this.#callable(value, callee);
    const isSuper = callee[0] === TAG.member && callee[1][0] === TAG.base && this.#index.family === "ruby";
    const to = found && (isSuper ? this.#ruby.inherited(from, found) : this.#ruby.ofItsKind(from, callee, found));
    if (found && !to) {
      this.#edges.unresolved += 1;
    } else if (
      to &&
      ((made && this.#isDynamic(callee)) || this.#evaluator.isUnsure(this.#path, value, callee, given))
    ) {
      this.#guesser.candidates(from, line, "CALLS", this.#chosen(callee, to));
    } else if (to) {
      this.#edges.add({ from, to, relation: "CALLS", line, ...this.#basis(to.path, callee) });
    } else if (!value && callee[0] === TAG.either) {
      this.#call({ from, line, callee: callee[2], bare, made, given });
    } else if (!value && this.#index.family === "php" && callee[0] === TAG.member && callee[1][0] === TAG.either) {
      // A variable that is assigned several times: one of its values has the method.
      this.#call({ from, line, callee: [TAG.member, callee[1][2], callee[2]], bare, made, given });
    } else if (value?.kind === "outside" && this.#index.family === "ruby") {
      this.#guesser.ofIncluding(from, line, callee);
    } else if (!value && this.#index.family === "ruby" && callee[0] === TAG.memberOrFree) {
      this.#guesser.ofSelf(from, line, callee, bare === true);
    } else if (!value && !bare && !(made && this.#isDynamic(callee))) {
      if (callee[0] === TAG.member) this.#guesser.member(from, line, callee, given);
      else if (callee[0] === TAG.freeName || callee[0] === TAG.memberOrFree)
        this.#guesser.name(from, line, "CALLS", callee, given);
      else this.#edges.unresolved += 1;
    }
  }

  /** PHP: the class of which an object is made is itself a value: `new $class`. */
  #isDynamic([tag]: Expression): boolean {
    return (
      this.#index.family === "php" &&
      tag !== TAG.definition &&
      tag !== TAG.import &&
      tag !== TAG.freeName &&
      tag !== TAG.instance
    );
  }

  /** All that a callee may be, if a condition decides it; otherwise the one that was found. */
  #chosen(callee: Expression, found: DefinitionRef): DefinitionRef[] {
    if (callee[0] !== TAG.choice) return [found];
    return choicesIn(callee).flatMap((side) => this.#callable(this.#evaluator.evaluate(this.#path, side), side) ?? []);
  }

  #use({ from, kind, target, lines }: UseFact): void {
    const value = this.#evaluator.evaluate(this.#path, target, kind === "type");
    if (value?.kind !== "definition") return;
    const to = { path: value.path, slot: value.slot };
    // A property may hold a definition of another name; the property is not a use of it.
    if (target[0] === TAG.member && this.#files.get(to.path)?.surface.entities[to.slot]?.name !== target[2]) return;
    const edge = { from, to, relation: RELATION_OF_USE[kind], ...this.#basis(to.path, target) };
    for (const line of lines) this.#edges.add({ ...edge, line });
  }

  #callable(value: Value | undefined, callee: Expression): DefinitionRef | undefined {
    if (value?.kind === "instance" && this.#isConstructor(callee)) {
      // PHP: `new static` in a trait makes an instance of a class that uses it.
      const isTrait = this.#files.get(value.path)?.surface.entities[value.slot]?.isTrait;
      return isTrait ? undefined : { path: value.path, slot: value.slot };
    }
    if (value?.kind !== "definition") return undefined;
    const entity = this.#files.get(value.path)?.surface.entities[value.slot];
    // A constant of Ruby is never a function, and asking for the class of a value does not call the class.
    if (this.#index.family === "ruby" && (entity?.kind === "constant" || /^(super)?class$/.test(nameIn(callee))))
      return undefined;
    if (this.#index.family === "python" && isClassOf(callee)) return undefined;
    return entity && CALLABLE.has(entity.kind) ? { path: value.path, slot: value.slot } : undefined;
  }

  /** C: what a macro without parameters stands for, in brackets: `(uint)(x)`. */
  #isMacroOfType(value: Value | undefined): boolean {
    if (value?.kind !== "definition" || this.#index.family !== "c") return false;
    return this.#files.get(value.path)?.surface.entities[value.slot]?.kind === "constant";
  }

  /** `super(…)`, the `this(…)` of Java and C#, and the `new self` of PHP. */
  #isConstructor([tag]: Expression): boolean {
    const { family } = this.#index;
    return tag === TAG.base || (tag === TAG.instance && (family === "jvm" || family === "csharp" || family === "php"));
  }

  #basis(path: string, expression: Expression): { resolution: Resolution; confidence: number } {
    const direct =
      expression[0] === TAG.definition ||
      expression[0] === TAG.import ||
      (expression[0] === TAG.member && expression[1][0] === TAG.import);
    return {
      resolution: path === this.#path ? "same-file" : "import",
      confidence: direct ? CONFIDENCE.direct : CONFIDENCE.typed,
    };
  }

  /** Text in backticks in a document: the path of a file, or a name with few definitions. */
  #mention(text: string, line: number): void {
    const path = text.replace(/:\d+$/, "");
    if (this.#project.paths.has(path) && this.#files.has(path)) {
      const confidence = CONFIDENCE.path;
      this.#edges.add({
        from: -1,
        to: { path, slot: -1 },
        relation: "DOCUMENTS",
        resolution: "import",
        confidence,
        line,
      });
      return;
    }
    const name =
      text
        .replace(/\(.*\)$/, "")
        .split(/[.#:]+/)
        .at(-1) ?? "";
    if (name.length < MIN_MENTION_CHARS || isLibraryName("document", name)) return;
    this.#guesser.candidates(-1, line, "DOCUMENTS", this.#project.named(name));
  }

  /** A test tests the definitions it calls and the files it imports, above all the file it is named after. */
  #tests(): void {
    for (const edge of this.#edges.all()) {
      const { to, relation, resolution, from, line } = edge;
      if (resolution === "ambiguous" || isTestPath(to.path) || to.path === this.#path) continue;
      if (relation === "CALLS")
        this.#edges.add({ from, to, relation: "TESTS", resolution, confidence: edge.confidence, line });
      if (relation !== "IMPORTS") continue;
      const confidence = stem(to.path) === stem(this.#path) ? 1 : 0.6;
      this.#edges.add({ from: -1, to, relation: "TESTS", resolution, confidence, line });
    }
  }
}

/** Python: `type(x)` and `x.__class__`, which may be a subclass. */
function isClassOf(callee: Expression): boolean {
  return callee[0] === TAG.passedOn ? isClassOf(callee[2]) : callee[0] === TAG.member && callee[2] === "__class__";
}
