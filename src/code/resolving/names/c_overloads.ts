/** C++: which of the overloads of a function or method a call means, as far as the number of its arguments tells. */
import type { SurfaceEntity } from "../../facts.ts";
import type { Value } from "../evaluating/values.ts";
import type { DefinitionRef, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { CDetached } from "./c_detached.ts";
import type { CIncludes } from "./c_includes.ts";
import { isSamePath, typeIn } from "./c_paths.ts";

type Definition = Extract<Value, { kind: "definition" }>;

interface Overload extends DefinitionRef {
  entity: SurfaceEntity;
}

interface COverloadsInput {
  files: Surfaces;
  named: WholeProject["named"];
  includes: CIncludes;
  detached: CDetached;
}

export class COverloads {
  readonly #in: COverloadsInput;

  constructor(input: COverloadsInput) {
    this.#in = input;
  }

  /** The overload that takes as many arguments, if those that do are in one file; else the value itself. */
  chosen(path: string, value: Value | undefined, given: number | undefined): Value | undefined {
    if (given === undefined || value?.kind !== "definition") return value;
    const entity = this.#entity(value);
    const isMethod = entity?.kind === "method";
    if (!entity || (!isMethod && (entity.kind !== "function" || entity.isMacro || value.unsure))) return value;
    const fits = ({ entity: { parameters } }: Overload): boolean => takes(parameters, given);
    const own = (isMethod ? this.#methods(value, entity) : this.#own(value, entity)).filter(fits);
    const fitting = own.length > 0 || isMethod ? own : this.#elsewhere(path, value, entity).filter(fits);
    const [first] = fitting;
    if (!first || fitting.some((each) => each.path !== first.path)) return value;
    const { path: at, slot } = fitting.find((each) => each.slot === value.slot && each.path === value.path) ?? first;
    return { kind: "definition", path: at, slot };
  }

  /**
   * Whether another overload may be meant: one of a method's class that is elsewhere, or a function of the same namespace
   * that the file includes, or that a header declares for another file.
   */
  isUnsure(path: string, value: Definition, given: number | undefined): boolean {
    const entity = this.#entity(value);
    if (entity?.kind !== "function" || this.#in.files.get(path)?.surface.language !== "cpp") return false;
    const all = this.#namesakes(value, entity);
    const others = all.filter(({ entity: { parameters } }) => given === undefined || takes(parameters, given));
    if (others.length === 0) return false;
    return this.#in.includes.of(path).some((each) => {
      const declares = value.path === path && each !== path && this.#in.files.get(each)?.declared.has(entity.name);
      return declares || others.some((other) => other.path === each);
    });
  }

  /** Functions of the same namespace and name in the same file. */
  #own({ path }: Definition, { name, qualified }: SurfaceEntity): Overload[] {
    const index = this.#in.files.get(path);
    return (index?.top.get(name) ?? []).flatMap((slot) => {
      const entity = index?.surface.entities[slot];
      return entity?.kind === "function" && entity.qualified === qualified ? [{ path, slot, entity }] : [];
    });
  }

  /** Functions of the same namespace and name in other files. */
  #namesakes(value: Definition, own: SurfaceEntity): Overload[] {
    return this.#in.named(own.name).flatMap(({ family, kind, path, slot }) => {
      if (family !== "c" || kind !== "function" || path === value.path) return [];
      const entity = this.#entity({ path, slot });
      const isSame = entity && !entity.isMacro === !own.isMacro && isSamePath(entity.qualified, own.qualified);
      return isSame ? [{ path, slot, entity }] : [];
    });
  }

  #elsewhere(path: string, value: Definition, own: SurfaceEntity): Overload[] {
    const others = this.#namesakes(value, own);
    return others.length === 0 ? [] : others.filter((other) => this.#in.includes.of(path).includes(other.path));
  }

  /** Methods of the same class and name: those written in it, and those in the file of the value; none if there are no others. */
  #methods(value: Definition, { name, parent }: SurfaceEntity): Overload[] {
    const methods = this.#in.named(name).filter(({ family, kind }) => family === "c" && kind === "method");
    if (!value.unsure && methods.filter(({ path }) => path === value.path).length < 2) return [];
    const owner = parent < 0 ? this.#in.detached.classOf(value.path, value.slot) : { path: value.path, slot: parent };
    const type = owner && this.#entity(owner)?.qualified;
    if (!owner || type === undefined) return [];
    const found: Overload[] = [];
    const declared: SurfaceEntity[] = [];
    for (const { path, slot } of methods) {
      if (path !== value.path && path !== owner.path) continue;
      const entity = this.#entity({ path, slot });
      if (!entity) continue;
      const isIn = entity.parent === owner.slot && path === owner.path;
      if (isIn && entity.isDeclaration) declared.push(entity);
      else if (isIn || (entity.parent < 0 && isSamePath(type, typeIn(entity)))) found.push({ path, slot, entity });
    }
    return found.map((each) => ({
      ...each,
      entity: { ...each.entity, parameters: withDefaults(each.entity, declared) },
    }));
  }

  #entity({ path, slot }: DefinitionRef): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}

/** Only the declaration in the class states the values of arguments that may be left out. */
function withDefaults({ parameters }: SurfaceEntity, declared: readonly SurfaceEntity[]): SurfaceEntity["parameters"] {
  if (!parameters) return undefined;
  const same = declared.flatMap((each) => (each.parameters?.[1] === parameters[1] ? [each.parameters[0]] : []));
  return [Math.min(parameters[0], ...same), parameters[1]];
}

function takes(parameters: SurfaceEntity["parameters"], given: number): boolean {
  return !parameters || (given >= parameters[0] && given <= parameters[1]);
}
