/** Names of Ruby: constants are visible everywhere, the nearest first, and a variable is often named after its class. */
import { type Expression, NAMED_UNKNOWN, TAG } from "../../expression.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import type { WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";

const CONSTANTS: ReadonlySet<string> = new Set(["class", "module", "constant"]);

/** Classes whose methods every value or every class has. */
const COMMON: ReadonlySet<string> = new Set(["Object", "Kernel", "BasicObject", "Module", "Class"]);

export class RubyNames {
  readonly #files: Surfaces;
  readonly #named: WholeProject["named"];

  constructor(files: Surfaces, named: WholeProject["named"]) {
    this.#files = files;
    this.#named = named;
  }

  /** A class, module or constant; outside if the project defines none of that name. Of several, the one in the innermost definition around the place (`slot`), or in the same file. */
  constant(path: string, name: string, slot: number): Value | undefined {
    const found = this.#named(name)
      .filter(({ family, kind }) => family === "ruby" && CONSTANTS.has(kind))
      .map((each) => ({ ...each, qualified: this.#qualified(each) }));
    if (found.length === 0) return OUTSIDE;
    const { entities } = this.#files.get(path)?.surface ?? { entities: [] };
    for (let at = slot; ; at = entities[at]?.parent ?? -1) {
      const outer = entities[at];
      const wanted = outer ? `${outer.qualified}.${name}` : name;
      const here = found.filter(({ qualified }) => qualified === wanted);
      const best = here.find((each) => each.path === path) ?? here[0];
      if (best) return { kind: "definition", path: best.path, slot: best.slot };
      if (!outer) break;
    }
    const own = found.find((each) => each.path === path) ?? found[0];
    const names = new Set(found.map(({ qualified }) => qualified));
    if (!own || (names.size > 1 && own.path !== path)) return undefined;
    return { kind: "definition", path: own.path, slot: own.slot };
  }

  /** A constant that is written as `::Name`. */
  atTop(path: string, name: string): Value {
    const found = this.#named(name).filter(
      (each) => each.family === "ruby" && CONSTANTS.has(each.kind) && this.#qualified(each) === name,
    );
    const best = found.find((each) => each.path === path) ?? found[0];
    return best ? { kind: "definition", path: best.path, slot: best.slot } : OUTSIDE;
  }

  /** A method that the project adds to a class that every value or class has. */
  everywhere(name: string): Value | undefined {
    const found = this.#named(name).find(({ family, path, slot }) => {
      if (family !== "ruby") return false;
      const { entities } = this.#files.get(path)?.surface ?? { entities: [] };
      const owner = entities[entities[slot]?.parent ?? -1];
      return owner !== undefined && COMMON.has(owner.qualified);
    });
    return found && { kind: "definition", path: found.path, slot: found.slot };
  }

  #qualified({ path, slot }: { path: string; slot: number }): string | undefined {
    return this.#files.get(path)?.surface.entities[slot]?.qualified;
  }
}

/** The class after which a variable, a field or a method without arguments is named: `Parser` for `@parser`. */
export function classNamedBy(receiver: Expression): string | undefined {
  const name = nameOf(receiver).replace(/^@+/, "");
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return undefined;
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function nameOf(receiver: Expression): string {
  if (receiver[0] === TAG.either) return nameOf(receiver[2]);
  if (receiver[0] === TAG.call) return nameOf(receiver[1]);
  if (receiver[0] === TAG.member || receiver[0] === TAG.memberOrFree) return receiver[2];
  return receiver[0] === TAG.freeName && receiver[1].startsWith(NAMED_UNKNOWN)
    ? receiver[1].slice(NAMED_UNKNOWN.length)
    : "";
}
