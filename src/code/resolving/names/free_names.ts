/**
 * Names that neither a file nor its imports state: those that star imports bring, and those that are visible without
 * import, as each language has it.
 */
import { FIXTURE, FROM_TOP, NAMED_UNKNOWN, STATIC } from "../../expression.ts";
import type { ImportFact } from "../../facts.ts";
import type { Family } from "../../languages/language.ts";
import type { ImportTarget, ModuleResolver } from "../../modules/module.ts";
import { globalObject } from "../ecmascript/global_object.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import type { DependencyRecorder } from "../project/dependencies.ts";
import type { WholeProject } from "../project/project_files.ts";
import { fixtureFiles } from "../python/fixtures.ts";
import { RubyNames } from "../ruby/names.ts";
import { firstBuilt } from "./builds.ts";
import type { CNames } from "./c_names.ts";

interface FreeNamesInput extends EvaluationInput {
  modules: (family: Family) => ModuleResolver;
  recorder: DependencyRecorder;
  named: WholeProject["named"];
  c: CNames;
  definition(path: string, slot: number, types: boolean): Value;
  importTarget(path: string, at: number): ImportTarget;
  imported(path: string, at: number, types: boolean): Value | undefined;
  exported(paths: readonly string[], name: string, types: boolean): Value | undefined;
  throughStar(path: string, at: number, name: string, types: boolean, seen: Set<string>): Value | undefined;
}

export class FreeNames {
  readonly #in: FreeNamesInput;
  readonly #ruby: RubyNames;

  constructor(input: FreeNamesInput) {
    this.#in = input;
    this.#ruby = new RubyNames(input.files, input.named);
  }

  find(path: string, name: string, types: boolean, slot: number): Value | undefined {
    const index = this.#in.files.get(path);
    if (name.startsWith(FIXTURE)) return this.#fixture(path, name);
    if (name === "" || name.startsWith(NAMED_UNKNOWN)) return undefined;
    if (!index || name === "?") return OUTSIDE;
    const { family, surface } = index;
    if (family === "ecmascript") return types ? OUTSIDE : globalObject(name, this.#in.named);
    // A parameter of a macro.
    if (family === "rust" && name.startsWith("$")) return undefined;
    if (family === "ruby" && name.startsWith(FROM_TOP)) return this.#ruby.atTop(path, name.slice(FROM_TOP.length));
    if (family === "c") return this.#ofC(path, name, types, slot);
    // C#: names of the own namespace come before those that are imported.
    const nearest = family === "csharp" ? this.#visible(path, family, name, types) : undefined;
    if (nearest) return nearest;
    const brought = this.#broughtIn(path, surface.imports, name, types);
    if (brought && brought.kind !== "outside") return brought;
    const visible = family === "csharp" ? undefined : this.#visible(path, family, name, types);
    if (visible) return visible;
    const imported = family === "go" ? this.#goPackage(path, name) : undefined;
    if (imported) return imported;
    if (family === "ruby")
      return /^[A-Z]/.test(name) ? this.#ruby.constant(path, name, slot) : this.#ruby.everywhere(name);
    // Types of the languages' own libraries need no import.
    if ((family === "jvm" || family === "csharp") && /^[A-Z]/.test(name)) return OUTSIDE;
    return family === "python" ? OUTSIDE : brought;
  }

  /** A name of a file whose names are visible without import. */
  #visible(path: string, family: Family, name: string, types: boolean): Value | undefined {
    const siblings = this.#in.modules(family).siblings?.(path) ?? [];
    return firstBuilt(this.#in.files, path, siblings, (sibling) => {
      const slot = sibling === path ? undefined : this.#in.files.get(sibling)?.top.get(name)?.[0];
      return slot === undefined ? undefined : this.#in.definition(sibling, slot, types);
    });
  }

  /** C#: a member of a type that is imported with `using static`. */
  #ofStatic(path: string, at: number, name: string): Value | undefined {
    const type = this.#in.imported(path, at, false);
    const index = type?.kind === "definition" ? this.#in.files.get(type.path) : undefined;
    if (type?.kind !== "definition" || !index) return undefined;
    const slot = index.members.get(type.slot)?.get(name);
    if (slot !== undefined) return { kind: "definition", path: type.path, slot };
    const value = index.properties.get(type.slot)?.get(name);
    return (
      value && this.#in.withoutCycles(`u${name}:${type.slot}:${type.path}`, () => this.#in.evaluate(type.path, value))
    );
  }

  /** Go: an imported package whose files state this name, which the path of the import need not tell. */
  #goPackage(path: string, name: string): Value | undefined {
    const { files } = this.#in;
    for (const at of files.get(path)?.surface.imports.keys() ?? []) {
      const to = this.#in.importTarget(path, at);
      const paths = to.kind === "package" ? to.paths.filter((each) => files.get(each)?.surface.module === name) : [];
      if (paths.length > 0) return { kind: "module", paths };
    }
    return undefined;
  }

  #ofC(path: string, name: string, types: boolean, slot: number): Value | undefined {
    const found = this.#in.c.included(path, name, types, slot);
    return found ?? (types ? (this.#in.c.nested({ path, slot }, name) ?? this.#in.c.onlyType(path, name)) : undefined);
  }

  /** A name that a star import of the file brings; outside if one of them is outside the project and may bring it. */
  #broughtIn(path: string, imports: readonly ImportFact[], name: string, types: boolean): Value | undefined {
    let outside = false;
    for (const [at, fact] of imports.entries()) {
      const member = fact.inner === STATIC && !types ? this.#ofStatic(path, at, name) : undefined;
      if (member) return member;
      if (!fact.star) continue;
      if (this.#in.importTarget(path, at).kind === "external") outside = true;
      const found = this.#in.throughStar(path, at, name, types, new Set([path]));
      if (found) return found;
    }
    return outside ? OUTSIDE : undefined;
  }

  /** Python: the value that a fixture gives to the parameters of its name. */
  #fixture(path: string, name: string): Value | undefined {
    for (const each of fixtureFiles(path)) {
      this.#in.recorder.current.paths.add(each);
      const found = this.#in.files.get(each) ? this.#in.exported([each], name, false) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}
