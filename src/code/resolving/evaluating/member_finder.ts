/**
 * Finds what a member of a value is at one place: the value's own member, or one that the language adds there, such as an
 * extension method, the method of a trait in scope, or that of the only class which implements an interface.
 */
import { pointedMember } from "../cpp/operators.ts";
import type { Extensions } from "../extensions.ts";
import { jvmProperty } from "../jvm/library.ts";
import { isOwnLibraryName } from "../names/library_names.ts";
import type { Names } from "../names/names.ts";
import type { Implementing } from "../php/implementing.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { Traits } from "../rust/traits.ts";
import type { Members } from "./members.ts";
import { isList, OUTSIDE, type Value } from "./values.ts";

interface MemberFinderInput {
  files: Surfaces;
  names: Names;
  members: Members;
  extensions: Extensions;
  traits: Traits;
  implementing: Implementing;
  resultOf(value: Extract<Value, { kind: "definition" }>, of?: readonly (Value | undefined)[]): Value | undefined;
}

export class MemberFinder {
  readonly #in: MemberFinderInput;

  constructor(input: MemberFinderInput) {
    this.#in = input;
  }

  find(path: string, of: Value | undefined, name: string, types: boolean): Value | undefined {
    const { names, members, extensions, traits, implementing } = this.#in;
    const family = this.#in.files.get(path)?.family;
    if (of?.kind === "definition" && names.c.isNamespace(of))
      return names.c.inNamespace(path, name, types, names.c.namespaceOf(of));
    if (of?.kind === "library" && family === "jvm") return jvmProperty(of, name) ?? OUTSIDE;
    // Ruby: a list has no such method, so the value is another one.
    if (of?.kind === "library" && family === "ruby" && !isOwnLibraryName("ruby", name)) return undefined;
    // PHP: a list has no methods, so the value may be the one of which a list is made elsewhere (`$all = [$all]`).
    if (of?.kind === "library" && family === "php") {
      const element = isList(of) && of.of[0]?.kind === "instance" ? members.of(of.of[0], name, types) : undefined;
      return element?.kind === "definition" ? { ...element, unsure: true } : OUTSIDE;
    }
    const found = members.of(of, name, types);
    if (found && found.kind !== "outside") return found;
    if (!found && of?.kind === "definition" && family === "c") return names.c.nested(of, name);
    if (!found && of?.kind === "instance" && family === "c" && !name.startsWith("operator"))
      return pointedMember(members, this.#in.resultOf, of, name, types);
    const added = extensions.find(path, of, name) ?? traits.find(path, of, name);
    return added ?? implementing.find(of, name, found) ?? found;
  }
}
