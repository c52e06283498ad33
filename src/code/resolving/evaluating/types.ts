/** Values that a stated type describes: instances of the project's types, of the library's, and of the types behind aliases. */
import { ARGUMENT, type Expression, TAG } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import { cppValue } from "../cpp/library.ts";
import { csharpValue } from "../csharp/library.ts";
import { PROPS_OF, reactValue } from "../ecmascript/react_types.ts";
import { jvmValue } from "../jvm/library.ts";
import { outsideName } from "../php/implementing.ts";
import { sameAs } from "../python/library.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { awaited, type FunctionValue, libraryValue, type Value } from "./values.ts";

type Instance = Extract<Value, { kind: "instance" }>;
type Definition = Extract<Value, { kind: "definition" }>;

export class Types {
  readonly #in: EvaluationInput;

  constructor(input: EvaluationInput) {
    this.#in = input;
  }

  newInstance(
    path: string,
    type: Expression,
    typeArguments: readonly (Expression | null)[],
    inferred: (value: Definition) => readonly (Value | undefined)[],
  ): Value | undefined {
    const value = this.#held(path, this.#in.evaluate(path, type, this.#in.files.get(path)?.family === "csharp"), type);
    if (value?.kind === "function") return this.#made(value);
    const stated = this.#evaluateAll(path, typeArguments);
    const of = stated.length === 0 && value?.kind === "definition" ? inferred(value) : stated;
    if (value?.kind !== "definition") return this.#library(path, this.#typeName(path, type) ?? "", of) ?? value;
    return this.#isGo(path) ? this.#instance(value, of) : { ...value, kind: "instance", of };
  }

  /** JavaScript: the class that a constant holds. */
  #held(path: string, value: Value | undefined, type: Expression): Value | undefined {
    const entity = value?.kind === "definition" ? this.#entity(value) : undefined;
    if (entity?.kind !== "constant" || !entity.value || this.#in.files.get(path)?.family !== "ecmascript") return value;
    const held = this.#in.evaluatedValue(path, type);
    return held?.kind === "definition" && this.#entity(held)?.kind === "class" ? held : value;
  }

  /** The instance that `new` makes of a value with the type of a class. */
  #made({ path, type, of }: FunctionValue): Value | undefined {
    const [, , result] = type;
    return result ? this.#in.withArguments(of, () => this.#in.evaluatedValue(path, result)) : undefined;
  }

  /** TypeScript: the class behind a base, of which only the type is known: `class extends Base`, with `Base: new () => Item`. */
  classOf(base: Value | undefined): Value | undefined {
    const made = base?.kind === "function" ? this.#made(base) : undefined;
    return made?.kind === "instance" ? { ...made, kind: "definition" } : base;
  }

  ofType(path: string, type: Expression, typeArguments: readonly (Expression | null)[]): Value | undefined {
    const of = this.#evaluateAll(path, typeArguments);
    const name = this.#typeName(path, type);
    const value = this.#in.evaluate(path, type, true);
    if ((!value || value.kind === "outside") && name !== undefined) {
      // Python: a value of the type is the class itself.
      if (/^[Tt]ype$/.test(name) && this.#isPython(path) && of[0]?.kind === "instance")
        return { kind: "definition", path: of[0].path, slot: of[0].slot };
      if (name === "ReturnType" && of[0]?.kind === "definition") return this.#declaredResult(of[0]);
      if (name === "InstanceType" && of[0]?.kind === "definition") return { ...of[0], kind: "instance", of: [] };
      if (name === "Awaited") return awaited(of[0]);
      const library = this.#library(path, name, of);
      if (library) return library;
    }
    const ofReact = value?.kind === "outside" ? this.#ofReact(path, type, typeArguments, of) : undefined;
    if (ofReact) return ofReact;
    // Ruby: a comment may name what no file of the project or of the library has.
    if (value?.kind === "outside" && this.#in.files.get(path)?.family === "ruby") return undefined;
    if (value?.kind === "outside") return this.#outside(path, type) ?? value;
    return value?.kind === "definition" ? this.#instance(value, of) : value;
  }

  /** TypeScript: a value of one of React's types, which a file imports or names by its path. */
  #ofReact(
    path: string,
    type: Expression,
    stated: readonly (Expression | null)[],
    of: readonly (Value | undefined)[],
  ): Value | undefined {
    if (stated.length === 0 || this.#in.files.get(path)?.family !== "ecmascript") return undefined;
    const name = type[0] === TAG.member ? type[2] : this.#typeName(path, type);
    if (name === undefined) return undefined;
    const [component] = stated;
    if (PROPS_OF.test(name)) return component ? this.#in.evaluatedValue(path, [TAG.argument, component, 0]) : undefined;
    return reactValue(path, name, of);
  }

  /** PHP: a value of a type of another package, which classes of the project may implement; C#: which methods may be added to. */
  #outside(path: string, type: Expression): Value | undefined {
    const outer = this.#in.files.get(path)?.family === "csharp" ? this.#typeName(path, type) : undefined;
    if (outer !== undefined) return { kind: "outside", type: outer };
    const index = type[0] === TAG.import ? this.#in.files.get(path) : undefined;
    const stated = type[0] === TAG.import && index?.family === "php" ? index.surface.imports[type[1]] : undefined;
    const name = stated && outsideName(stated);
    return name === undefined ? undefined : { kind: "outside", type: name };
  }

  /** A value of a type of the project, or of the type behind an alias. */
  #instance(value: Definition, of: readonly (Value | undefined)[]): Value {
    const instance: Value = { ...value, kind: "instance", of };
    const entity = this.#entity(value);
    const isAlias = entity?.kind === "type" || (entity?.kind === "constant" && this.#isPython(value.path));
    const alias = isAlias ? entity.value : undefined;
    if (!alias) return instance;
    const behind = this.behind(value, alias, of);
    if (!behind) return instance;
    // `type A = B & { … }` has members of its own; in Go `type A []B` may have.
    return this.#isGo(value.path) || this.#hasMembers(value) ? { ...instance, also: [behind] } : behind;
  }

  /** The type behind an alias with these arguments; undefined while it is worked out. */
  behind(
    { path, slot }: Definition | Instance,
    alias: Expression,
    of: readonly (Value | undefined)[],
  ): Value | undefined {
    return this.#in.withoutCycles(`a${slot}:${path}`, () =>
      this.#in.withArguments(of, () => this.#aliased(path, alias, of)),
    );
  }

  #hasMembers({ path, slot }: Definition): boolean {
    const index = this.#in.files.get(path);
    return index?.family === "ecmascript" && (index.members.has(slot) || index.properties.has(slot));
  }

  /** The type behind an alias; `type Parsed<T> = Result<T, Failure>` passes its arguments on. */
  #aliased(path: string, alias: Expression, given: readonly (Value | undefined)[]): Value | undefined {
    if (alias[0] !== TAG.ofType) {
      const found = this.#in.evaluate(path, alias);
      // Python: another name for a class.
      return found?.kind === "definition" && this.#isPython(path) ? { ...found, kind: "instance", of: [] } : found;
    }
    const [, head] = alias;
    if (head[0] === TAG.freeName && head[1].startsWith(ARGUMENT)) return given[Number(head[1].slice(ARGUMENT.length))];
    if (alias[2].length === 0) return this.#in.evaluate(path, alias);
    const name = this.#typeName(path, alias[1]);
    const value = this.#in.evaluate(path, alias[1], true);
    const of = alias[2].map((each) => (each ? this.#aliased(path, each, given) : undefined));
    if (value?.kind === "definition") return this.#instance(value, of);
    return (name === undefined ? undefined : this.#library(path, name, of)) ?? this.#in.evaluate(path, alias);
  }

  #evaluateAll(path: string, expressions: readonly (Expression | null)[]): (Value | undefined)[] {
    return expressions.map((each) => (each ? this.#in.evaluatedValue(path, each) : undefined));
  }

  #declaredResult(value: Definition): Value | undefined {
    const returns = this.#entity(value)?.returns;
    return returns && this.#in.evaluatedValue(value.path, returns);
  }

  #typeName(path: string, type: Expression): string | undefined {
    if (type[0] === TAG.freeName) return type[1];
    if (type[0] === TAG.memberOrFree) return type[2];
    // Rust: `io::Result<T>`; Python: `typing.List[T]`.
    if (type[0] === TAG.member && /^(rust|python|jvm|c)$/.test(this.#in.files.get(path)?.family ?? "")) return type[2];
    return type[0] === TAG.import ? this.#in.files.get(path)?.surface.imports[type[1]]?.name : undefined;
  }

  #library(path: string, name: string, of: readonly (Value | undefined)[]): Value | undefined {
    const family = this.#in.files.get(path)?.family;
    if (family === "csharp") return csharpValue(name, of);
    const ofCpp = family === "c" ? cppValue(name, of) : undefined;
    if (ofCpp) return ofCpp;
    const known = family === "python" ? sameAs(name) : name;
    return (family === "jvm" ? jvmValue(name, of) : undefined) ?? libraryValue(known, of);
  }

  #isGo(path: string): boolean {
    return this.#in.files.get(path)?.family === "go";
  }

  #isPython(path: string): boolean {
    return this.#in.files.get(path)?.family === "python";
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}
