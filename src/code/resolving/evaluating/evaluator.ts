/**
 * Evaluates expressions of one file against the surfaces of all files. Pure: the same surfaces give the same values, no
 * matter which file was resolved first.
 */
import { type Expression, TAG } from "../../expression.ts";
import type { Family } from "../../languages/language.ts";
import type { ImportTarget, ModuleResolver } from "../../modules/module.ts";
import { inBase } from "../base_overloads.ts";
import { Bases } from "../bases.ts";
import { Callbacks } from "../callbacks.ts";
import { Calls } from "../calls.ts";
import { Augmentations } from "../ecmascript/augmentations.ts";
import { Mixins } from "../ecmascript/mixins.ts";
import { Extensions } from "../extensions.ts";
import type { CNames } from "../names/c_names.ts";
import { Names } from "../names/names.ts";
import { Implementing } from "../php/implementing.ts";
import type { DependencyRecorder } from "../project/dependencies.ts";
import type { DefinitionRef, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import { LibraryBases } from "../python/library.ts";
import { isHollow } from "../ruby/collections.ts";
import { RustLibrary } from "../rust/library.ts";
import { Traits } from "../rust/traits.ts";
import { Elements } from "./elements.ts";
import { EvaluationGuard } from "./evaluation_guard.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { Fields } from "./fields.ts";
import { Functions } from "./functions.ts";
import { MemberFinder } from "./member_finder.ts";
import { Members } from "./members.ts";
import { TypeArguments } from "./type_arguments.ts";
import { TypeParts } from "./type_parts.ts";
import { Types } from "./types.ts";
import { awaited, checkedValue, OUTSIDE, together, underlying, type Value } from "./values.ts";

const CALLED: ReadonlySet<string> = new Set(["function", "method", "test"]);

export class Evaluator {
  readonly #files: Surfaces;
  readonly #names: Names;
  readonly #members: Members;
  readonly #finder: MemberFinder;
  readonly #types: Types;
  readonly #calls: Calls;
  readonly #functions: Functions;
  readonly #elements: Elements;
  readonly #fields: Fields;
  readonly #bases: Bases;
  readonly #named: WholeProject["named"];
  readonly #guard = new EvaluationGuard();
  readonly #given = new TypeArguments();

  constructor(
    files: Surfaces,
    modules: (family: Family) => ModuleResolver,
    recorder: DependencyRecorder,
    named: WholeProject["named"],
  ) {
    this.#files = files;
    this.#named = named;
    const evaluation: EvaluationInput = {
      files,
      evaluate: (path, expression, types) => this.evaluate(path, expression, types),
      evaluatedValue: (path, expression) => this.#evaluatedValue(path, expression),
      withArguments: (given, work) => this.#given.during(given, work),
      withoutCycles: (key, work) => this.#guard.withoutCycles(key, work),
    };
    this.#names = new Names({ ...evaluation, modules, recorder, named, cuts: () => this.#guard.cuts });
    const mixins = new Mixins(evaluation);
    this.#bases = new Bases(files, recorder, this.#guard, (path, expression, types) =>
      this.#given.during([], () =>
        mixins.completed(path, expression, this.#types.classOf(this.evaluate(path, expression, types))),
      ),
    );
    this.#members = new Members({
      files,
      modules,
      names: this.#names,
      parts: new TypeParts({ ...evaluation, named }),
      augmentations: new Augmentations({ files, modules, names: this.#names, named, recorder }),
      behind: (alias, stated) => this.#types.behind(alias, stated, alias.of),
      bases: (path, slot) => this.bases(path, slot),
      evaluate: (path, expression, of = []) => this.#given.during(of, () => this.evaluate(path, expression)),
      withoutCycles: evaluation.withoutCycles,
    });
    const rust = new RustLibrary({
      ...evaluation,
      members: this.#members,
      result: (value) => this.#calls.resultOf(value),
    });
    const callbacks = new Callbacks({
      ...evaluation,
      member: (path, of, name) => this.#finder.find(path, of, name, false),
    });
    this.#functions = new Functions({
      ...evaluation,
      taking: (value) => callbacks.taking(value),
      member: (path, of, name) => this.#valueOf(this.#finder.find(path, of, name, false)),
      bases: (path, slot) => this.bases(path, slot),
    });
    const held = new LibraryBases(evaluation);
    this.#calls = new Calls({
      ...evaluation,
      held,
      names: this.#names,
      rust,
      callbacks,
      functions: this.#functions,
      valueOf: (value) => this.#valueOf(value),
      member: (path, of, name) => this.#finder.find(path, of, name, false),
      bases: (path, slot) => this.bases(path, slot),
    });
    const resultOf = (path: string, of: Value, method: string): Value | undefined => {
      const found = this.#finder.find(path, of, method, false);
      return found?.kind === "definition" ? this.#calls.resultOf(found, found.of) : undefined;
    };
    this.#elements = new Elements({
      rust,
      family: (path) => this.#family(path),
      csharp: this.#calls.csharp,
      member: (path, of, name) => this.#finder.find(path, of, name, false),
      libraryBase: (of) => held.of(of),
      tupleParts: (of) => held.parts(of),
      field: (_, of, index) => {
        const name = [...(files.get(of.path)?.properties.get(of.slot)?.keys() ?? [])][index];
        return name === undefined ? undefined : this.#members.field(of, name);
      },
      resultOf,
    });
    this.#types = new Types(evaluation);
    this.#fields = new Fields({
      ...evaluation,
      members: this.#members,
      valueOf: (value) => this.#valueOf(value),
      member: (path, of, name, types) => this.#finder.find(path, of, name, types),
      bases: (path, slot) => this.bases(path, slot),
      resultOf,
    });
    this.#finder = new MemberFinder({
      files,
      names: this.#names,
      members: this.#members,
      extensions: new Extensions({ ...evaluation, named, members: this.#members }),
      traits: new Traits({ ...evaluation, named }),
      implementing: new Implementing(files, named, this.#members, this.#bases),
      resultOf: (value, of) => this.#calls.resultOf(value, of),
    });
  }

  /** `types`: prefer the type where a name is both a type and a value. */
  evaluate(path: string, expression: Expression, types = false): Value | undefined {
    if (!this.#guard.enter()) return undefined;
    try {
      return this.#read(path, expression, types);
    } finally {
      this.#guard.leave();
    }
  }

  /** The value that a receiver has: in Ruby the name of a method is its result. */
  receiver(path: string, expression: Expression): Value | undefined {
    return this.#family(path) === "ruby" ? this.#evaluatedValue(path, expression) : this.evaluate(path, expression);
  }

  importTarget(path: string, index: number): ImportTarget {
    return this.#names.importTarget(path, index);
  }

  /** Whether a type is the other, or extends or implements it. */
  inherits(type: DefinitionRef, other: DefinitionRef): boolean {
    return this.#members.inherits({ ...type, kind: "definition" }, { ...other, kind: "definition" });
  }

  /** The method or field that values of a class have under a name, if the project defines it. */
  memberOf({ path, slot }: DefinitionRef, name: string): DefinitionRef | undefined {
    const found = this.#members.ownOrInherited(path, slot, name, new Set());
    return found?.kind === "definition" ? { path: found.path, slot: found.slot } : undefined;
  }

  /** The value that a method returns. */
  resultOf({ path, slot }: DefinitionRef): Value | undefined {
    return this.#calls.resultOf({ kind: "definition", path, slot });
  }

  /** The definition that a call with this many arguments means: C++, Java and C# have overloads. */
  overload(path: string, value: Value | undefined, given: number | undefined): Value | undefined {
    if (!/^(jvm|csharp)$/.test(this.#family(path) ?? "")) return this.#names.c.overloads.chosen(path, value, given);
    const member = (at: string, slot: number, name: string) => this.#members.ownOrInherited(at, slot, name, new Set());
    const input = {
      files: this.#files,
      named: this.#named,
      bases: (at: string, slot: number) => this.bases(at, slot),
      member,
    };
    return inBase(input, value, given);
  }

  /** Whether a call may lead to another definition than the one that was found for it. */
  isUnsure(path: string, value: Value | undefined, callee: Expression, given: number | undefined): boolean {
    if (value?.kind === "definition" && (value.unsure || this.#names.c.overloads.isUnsure(path, value, given)))
      return true;
    return this.#calls.isRunByOther(path, callee);
  }

  /** Names of C and C++. */
  get c(): CNames {
    return this.#names.c;
  }

  /** Classes and interfaces that a definition extends or implements, in the order of the text. */
  bases(path: string, slot: number): readonly (Value | undefined)[] {
    return this.#bases.of(path, slot);
  }

  #read(path: string, expression: Expression, types: boolean): Value | undefined {
    switch (expression[0]) {
      case TAG.definition:
        return this.#names.definition(path, expression[1], types);
      case TAG.import:
        return this.#names.imported(path, expression[1], types);
      case TAG.freeName:
        return this.#names.free(path, expression[1], types);
      case TAG.memberOrFree: {
        const [, slot, name] = expression;
        const own = this.#members.around(path, slot, name);
        if (own && own.kind !== "outside" && !(types && this.#names.c.isNoType(path, own))) return own;
        // A base outside the project may have the member, but a name around the class is more likely.
        const made = this.#members.ofRubyClass({ path, slot }, name);
        return made ?? this.#names.free(path, name, types, slot) ?? own;
      }
      case TAG.instance:
        return { kind: "instance", path, slot: expression[1], of: [] };
      case TAG.base: {
        // PHP: the class that uses a trait decides.
        if (this.#files.get(path)?.surface.entities[expression[1]]?.isTrait) return OUTSIDE;
        const base = this.#bases.superclass(path, expression[1]);
        return base?.kind === "definition" ? { ...base, kind: "instance", of: [] } : base;
      }
      case TAG.member:
        // Ruby: `super` looks into the included modules, too.
        if (expression[1][0] === TAG.base && this.#family(path) === "ruby")
          return this.#members.inherited(path, expression[1][1], expression[2]);
        return this.#finder.find(
          path,
          this.#valueOf(this.#fields.uncalled(path, expression[1], types)),
          expression[2],
          types,
        );
      case TAG.call:
        return this.#calls.result(path, expression[1], expression[2], expression[3]);
      case TAG.construct:
        return this.#types.newInstance(path, expression[1], expression[2], (value) =>
          expression[3] ? this.#functions.inference.ofNew(path, value, expression[3]) : [],
        );
      case TAG.awaited:
        return awaited(underlying(this.#evaluatedValue(path, expression[1])));
      case TAG.element:
        return this.#elements.of(path, this.#evaluatedValue(path, expression[1]));
      case TAG.elementAt: {
        const whole = this.#evaluatedValue(path, expression[1]);
        return this.#fields.component(whole, expression[2]) ?? this.#elements.at(path, whole, expression[2]);
      }
      case TAG.callbackParameter:
        return this.#calls.callbackParameter(path, expression[1], expression[2], expression[3], expression[4]);
      case TAG.parameter: {
        const [, at, bound] = expression;
        return this.#given.parameter(at, bound && (() => this.evaluate(path, bound, types)));
      }
      case TAG.bounds:
        return together(this.#functions.sides(path, expression[1], types));
      case TAG.passedOn:
        return this.#calls.ownResult(path, expression[1]) ?? this.#evaluatedValue(path, expression[2]);
      case TAG.mapped:
        return this.#calls.ownResult(path, expression[1]) ?? this.#calls.mapped(path, expression[1], expression[2]);
      case TAG.ofType:
        return this.#types.ofType(path, expression[1], expression[2]);
      case TAG.checked:
        return checkedValue(
          expression[1] ? this.#evaluatedValue(path, expression[1]) : undefined,
          this.evaluate(path, expression[2]),
          (type, other) => this.#members.inherits(type, other),
        );
      case TAG.verdict:
        return OUTSIDE;
      case TAG.ofVerdict:
        return this.#calls.verdict(path, expression[1]);
      case TAG.functionType:
        return { kind: "function", path, type: expression, of: this.#given.all };
      case TAG.record:
        return { kind: "record", path, members: expression[1], of: this.#given.all };
      case TAG.union:
        return this.#functions.union(path, expression[1]);
      case TAG.argument:
        return this.#functions.argument(path, expression[1], expression[2], expression[3]);
      case TAG.contextParameter:
        return this.#functions.parameter(path, expression[1], expression[2]);
      case TAG.contextSelf:
        return this.#functions.self(path, expression[1], expression[2]);
      case TAG.choice: {
        const value = this.#chosen(path, expression[1], expression[2], types);
        return value?.kind === "definition" ? { ...value, unsure: true } : value;
      }
      case TAG.either: {
        const first = this.evaluate(path, expression[1], types);
        if (first && first.kind !== "outside" && !isHollow(first)) return first;
        const second = this.evaluate(path, expression[2], types);
        // Python: a variable with a value from outside the project is not guessed by the names of its methods.
        const isKept =
          this.#family(path) === "python" || (first && first.kind !== "outside") || first?.type !== undefined;
        return second ?? (isKept ? first : undefined);
      }
    }
  }

  /** JavaScript: a class or function of the project may stand in for one that the library may lack. */
  #chosen(path: string, first: Expression, second: Expression | null, types: boolean): Value | undefined {
    const known = this.evaluate(path, first, types);
    const isOutside = known?.kind === "outside" && this.#family(path) === "ecmascript";
    const other = second && (!known || isOutside) ? this.evaluate(path, second, types) : undefined;
    return isOutside && other?.kind !== "definition" ? known : (other ?? known);
  }

  #evaluatedValue(path: string, expression: Expression): Value | undefined {
    return this.#valueOf(this.#fields.uncalled(path, expression, false));
  }

  #family(path: string): Family | undefined {
    return this.#files.get(path)?.family;
  }

  /** The value of a constant or getter; anything else is returned unchanged. */
  #valueOf(value: Value | undefined): Value | undefined {
    if (value?.kind !== "definition") return value;
    const entity = this.#files.get(value.path)?.surface.entities[value.slot];
    // In Ruby a name calls the method.
    if (entity && CALLED.has(entity.kind) && this.#files.get(value.path)?.family === "ruby")
      return this.#calls.resultOf(value);
    const stated = entity?.value;
    if (!stated || entity.kind === "type") return value;
    return (
      this.#guard.withoutCycles(`v${value.slot}:${value.path}`, () =>
        this.#given.during(value.of ?? [], () => this.evaluate(value.path, stated)),
      ) ?? value
    );
  }
}
