/**
 * Guesses the target of a name that imports and types do not lead to, from all definitions of the project with that name.
 * The only one is a likely target; several stay candidates.
 */
import type { Relation } from "../../../store/code.ts";
import { type Expression, type MemberExpression, nameIn, TAG } from "../../expression.ts";
import type { Evaluator } from "../evaluator.ts";
import { CONFIDENCE, type FoundEdges } from "../found_edges.ts";
import type { DefinitionRef, WholeProject } from "../project_files.ts";
import type { SurfaceIndex } from "../surface_index.ts";
import { isLibraryName } from "./library_names.ts";
import { classNamedBy } from "./ruby_names.ts";

/** A name with more candidates than this says nothing about any of them. */
const MAX_CANDIDATES = 5;

export class NameGuesser {
  readonly #path: string;
  readonly #index: SurfaceIndex;
  readonly #evaluator: Evaluator;
  readonly #project: WholeProject;
  readonly #edges: FoundEdges;

  constructor(path: string, index: SurfaceIndex, evaluator: Evaluator, project: WholeProject, edges: FoundEdges) {
    this.#path = path;
    this.#index = index;
    this.#evaluator = evaluator;
    this.#project = project;
    this.#edges = edges;
  }

  /** A method of an unknown value is guessed only when its name is not a common library name. */
  member(from: number, line: number, callee: MemberExpression): void {
    const receiver = this.#evaluator.evaluate(this.#path, callee[1]);
    if (receiver?.kind === "definition" && this.#evaluator.isNamespace(receiver)) {
      this.#guess(from, line, "CALLS", callee, "tops");
      return;
    }
    // In Ruby most setters are made by a macro, so the only one that is written says nothing.
    if (receiver || isLibraryName(this.#index.family, callee[2]) || callee[2].endsWith("="))
      this.#edges.unresolved += 1;
    else if (!this.#byVariable(from, line, callee)) this.#guess(from, line, "CALLS", callee, "members");
  }

  /** Ruby: a variable that is named after a class, with a method of that class, is a guess, too. */
  #byVariable(from: number, line: number, callee: MemberExpression): boolean {
    const name = this.#index.family === "ruby" ? classNamedBy(callee[1]) : undefined;
    if (name === undefined) return false;
    const around = this.#index.surface.entities[from]?.parent ?? -1;
    const owner: Expression = around < 0 ? [TAG.freeName, name] : [TAG.memberOrFree, around, name];
    const value = this.#evaluator.evaluate(this.#path, [TAG.member, owner, callee[2]]);
    if (value?.kind !== "definition") return false;
    this.candidates(from, line, "CALLS", [{ path: value.path, slot: value.slot }]);
    return true;
  }

  /** A name that the file does not define or import. */
  name(from: number, line: number, relation: Relation, expression: Expression): void {
    this.#guess(from, line, relation, expression, "tops");
  }

  #guess(from: number, line: number, relation: Relation, expression: Expression, among: "tops" | "members"): void {
    const name = nameIn(expression);
    const { family } = this.#index;
    if (family === "c" && among === "tops") {
      this.#linked(from, line, relation, name);
      return;
    }
    // In the other families a name may be visible without an import.
    const visible = family !== "ecmascript" && family !== "python";
    const found =
      among === "members" || visible
        ? this.#project.named(name).filter((each) => each.family === family && each.member === (among === "members"))
        : [];
    this.candidates(from, line, relation, found);
    if (found.length !== 1) this.#edges.unresolved += 1;
  }

  /** C: the definition of a function that an included header declares; without a declaration it is a guess. */
  #linked(from: number, line: number, relation: Relation, name: string): void {
    const found = this.#project.named(name).filter(({ family, kind, exported, path }) => {
      return family === "c" && kind === "function" && (exported || path === this.#path);
    });
    if (found.length !== 1) this.#edges.unresolved += 1;
    const [only] = found;
    if (only && found.length === 1 && this.#evaluator.isDeclared(this.#path, name)) {
      const to = { path: only.path, slot: only.slot };
      this.#edges.add({ from, to, relation, resolution: "import", confidence: CONFIDENCE.direct, line });
    } else if (!isLibraryName("c", name)) {
      this.candidates(from, line, relation, found);
    }
  }

  /** Edges to the definitions that a name may mean; too many say nothing about any of them. */
  candidates(from: number, line: number, relation: Relation, found: readonly DefinitionRef[]): void {
    if (found.length === 0 || found.length > MAX_CANDIDATES) return;
    const [resolution, confidence] =
      found.length === 1
        ? (["unique-name", CONFIDENCE.unique] as const)
        : (["ambiguous", Math.round(100 / found.length) / 100] as const);
    for (const { path, slot } of found) {
      this.#edges.add({ from, to: { path, slot }, relation, resolution, confidence, line });
    }
  }
}
