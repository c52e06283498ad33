/** The elements of a value that a loop goes through, by the rules of each language. */
import { EACH, KEY, TUPLE } from "../../expression.ts";
import type { Family } from "../../languages/language.ts";
import type { CsharpCalls } from "../csharp/calls.ts";
import { PARTS, partOf, elementOf as rubyElement } from "../ruby/collections.ts";
import type { RustLibrary } from "../rust/library.ts";
import { elementAt, elementOf, isMap, OUTSIDE, underlying, type Value } from "./values.ts";

/** JavaScript: the methods whose results a loop goes through. */
const ITERATORS = ["[Symbol.iterator]", "[Symbol.asyncIterator]"];

export interface ElementsInput {
  rust: RustLibrary;
  family(path: string): Family | undefined;
  member(path: string, of: Value, name: string): Value | undefined;
  /** Python: the list or dictionary that a class extends. */
  libraryBase(of: { path: string; slot: number }): Value | undefined;
  /** Python: the names of the fields of a tuple with names. */
  tupleParts(of: { path: string; slot: number }): readonly string[];
  /** C++: the field of an object at this place. */
  field(path: string, of: Extract<Value, { kind: "instance" }>, index: number): Value | undefined;
  /** The result of a method of a value. */
  resultOf(path: string, of: Value, method: string): Value | undefined;
  csharp: CsharpCalls;
}

export class Elements {
  readonly #in: ElementsInput;

  constructor(input: ElementsInput) {
    this.#in = input;
  }

  /** `path`: the file with the loop. */
  of(path: string, stated: Value | undefined): Value | undefined {
    const family = this.#in.family(path);
    const whole = family === "go" ? underlying(stated) : stated;
    // Go: the loop's second name is the value of a map.
    if (whole?.kind === "library" && whole.name === "map" && family === "go") return whole.of[1];
    if (family === "csharp") return this.#in.csharp.element(path, whole);
    // Ruby: a list of the library may hold values of the project.
    if (family === "ruby") return rubyElement(whole);
    if (family === "c" && whole?.kind === "instance")
      return this.#behind(path, this.#in.resultOf(path, whole, "begin"));
    if (family === "python" && whole?.kind === "library" && isMap(whole)) return whole.of[0];
    if (family === "python" && whole?.kind === "instance") return this.#iterated(path, whole);
    if (family === "ecmascript" && whole?.kind === "instance") {
      const made = ITERATORS.map((method) => this.#in.resultOf(path, whole, method)).find((each) => each);
      return made && elementOf(made);
    }
    if (family === "php" && whole?.kind === "instance") {
      const made = this.#in.resultOf(path, whole, "getIterator");
      return made?.kind === "library" ? elementOf(made) : this.#in.resultOf(path, whole, "current");
    }
    // PHP: an array with elements of several types.
    if (family === "php" && whole?.kind === "library" && whole.name === TUPLE) return undefined;
    if (family === "python" && whole?.kind === "definition") return this.#in.member(path, whole, EACH);
    return elementOf(whole) ?? this.#in.rust.iterated(path, whole);
  }

  /** Go: the loop's first name, which is a number unless it goes through a map or a channel. */
  key(stated: Value | undefined): Value | undefined {
    const whole = underlying(stated);
    if (whole?.kind !== "library") return undefined;
    return whole.name === "map" || whole.name === "chan" ? whole.of[0] : OUTSIDE;
  }

  /** One of the parts that a value is taken apart into. */
  at(path: string, whole: Value | undefined, index: number): Value | undefined {
    if (index === KEY) return this.key(whole);
    const family = this.#in.family(path);
    if (family === "ruby")
      return partOf(whole?.kind === "instance" ? this.#in.member(path, whole, PARTS) : whole, index);
    if (family === "c" && whole?.kind === "instance") return this.#in.field(path, whole, index);
    if (family === "csharp" && whole) return this.#in.csharp.part(path, whole, index);
    if (whole?.kind !== "instance" || family !== "python") return elementAt(whole, index);
    const name = this.#in.tupleParts(whole)[index];
    return this.#iterated(path, whole) ?? (name === undefined ? undefined : this.#in.member(path, whole, name));
  }

  /** C++: an iterator may be an object of the project. */
  #behind(path: string, iterator: Value | undefined): Value | undefined {
    const found = iterator && this.#in.resultOf(path, iterator, "operator*");
    return found && found.kind !== "outside" ? found : iterator;
  }

  /** Python: an object says itself what its elements are. */
  #iterated(path: string, whole: Value): Value | undefined {
    const made = this.#in.resultOf(path, whole, "__iter__") ?? this.#in.resultOf(path, whole, "__aiter__");
    if (made?.kind === "library") return elementOf(made);
    const held = whole.kind === "instance" ? this.#in.libraryBase(whole) : undefined;
    return held ? this.of(path, held) : this.#in.resultOf(path, whole, "__getitem__");
  }
}
