/** TypeScript: interfaces to which other files add members, `declare module "x" { interface Item { … } }`. */
import type { Family } from "../../languages/language.ts";
import type { ModuleResolver } from "../../modules/module.ts";
import type { Names } from "../names/names.ts";
import type { Dependencies, DependencyRecorder } from "../project/dependencies.ts";
import type { DefinitionRef, NamedDefinition, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";

/** Types whose additions are kept at once. */
const MAX_TYPES = 4000;
/** Files that may add to one type. */
const MAX_PARTS = 500;

export interface AugmentationsInput {
  files: Surfaces;
  modules: (family: Family) => ModuleResolver;
  names: Names;
  named: WholeProject["named"];
  recorder: DependencyRecorder;
}

export class Augmentations {
  readonly #in: AugmentationsInput;
  readonly #known = new Map<string, { found: readonly DefinitionRef[]; dependencies: Dependencies }>();

  constructor(input: AugmentationsInput) {
    this.#in = input;
  }

  /** The interfaces in other files that add to a class or interface. */
  of(path: string, slot: number): readonly DefinitionRef[] {
    const key = `${slot}:${path}`;
    const known = this.#known.get(key);
    if (known) {
      this.#in.recorder.add(known.dependencies);
      return known.found;
    }
    const { result, dependencies } = this.#in.recorder.separately(() => this.#find(path, slot));
    if (this.#known.size >= MAX_TYPES) this.#known.clear();
    this.#known.set(key, { found: result, dependencies });
    return result;
  }

  #find(path: string, slot: number): readonly DefinitionRef[] {
    const index = this.#in.files.get(path);
    const own = index?.family === "ecmascript" ? index.surface.entities[slot] : undefined;
    if (!own?.exported || own.parent >= 0 || (own.kind !== "interface" && own.kind !== "class")) return [];
    return this.#in
      .named(own.name)
      .filter((each) => each.owner === "module" && each.kind === "interface" && each.family === "ecmascript")
      .slice(0, MAX_PARTS)
      .filter((each) => this.#addsTo(each, own.name, { path, slot }));
  }

  #addsTo(part: NamedDefinition, name: string, to: DefinitionRef): boolean {
    const { entities } = this.#in.files.get(part.path)?.surface ?? { entities: [] };
    const module = entities[entities[part.slot]?.parent ?? -1]?.name ?? "";
    if (!/^["']/.test(module)) return false;
    const target = this.#in.modules("ecmascript").resolve(part.path, { source: module.slice(1, -1), name, line: 0 });
    const found = target.kind === "file" ? this.#in.names.exported([target.path], name, true) : undefined;
    return found?.kind === "definition" && found.path === to.path && found.slot === to.slot;
  }
}
