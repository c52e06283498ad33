/** What a run changed, as other files can notice it, and the files whose edges it can affect. */
import type { CodeWriter } from "../../store/code.ts";
import type { Surface } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import { familyOf } from "../languages/registry.ts";
import type { ProjectFiles } from "../modules/module.ts";
import { moduleResolvers } from "../modules/registry.ts";
import { affected, type Needs, noNeeds } from "../resolving/dependencies.ts";
import { type Outside, readOutside } from "../resolving/project_files.ts";

/** When more of the files than this share have changed, following each change costs more than working out all. */
const MOST_FOLLOWED = 0.5;

export class Changes {
  /** Paths of the files that were read. */
  readonly fresh = new Set<string>();
  readonly noticed: Needs = noNeeds();
  readonly added = new Set<string>();
  readonly removed = new Set<string>();
  /** How imports are followed is said anew, or nothing was known before. */
  everything: boolean;

  constructor(nothingKnown: boolean) {
    this.everything = nothingKnown;
  }

  get any(): boolean {
    return this.everything || this.noticed.surfaces.size > 0;
  }

  /** The file is put into the store; `before` is what it showed. */
  put(path: string, before: string | undefined, now: string): void {
    this.fresh.add(path);
    if (this.everything || before === now) return;
    if (before === undefined) this.added.add(path);
    this.#note(path, before === undefined ? {} : readOutside(before), readOutside(now));
  }

  gone(path: string, before: string): void {
    if (this.everything) return;
    this.removed.add(path);
    this.#note(path, readOutside(before), {});
  }

  #note(path: string, before: Outside, now: Outside): void {
    if (before.config !== now.config) this.everything = true;
    this.noticed.surfaces.add(path);
    const [then, since] = [namesOf(before.surface), namesOf(now.surface)];
    for (const [name, what] of then) if (since.get(name) !== what) this.noticed.names.add(name);
    for (const name of since.keys()) if (!then.has(name)) this.noticed.names.add(name);
    if (before.surface && now.surface && before.surface.module !== now.surface.module) {
      this.noticed.families.add(familyOf(now.surface.language));
    }
  }
}

/** Each name with all that bear it. */
function namesOf(surface: Surface | undefined): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, kind, qualified, parent } of surface?.entities ?? []) {
    const owner = surface?.entities[parent]?.kind ?? "";
    names.set(name, `${names.get(name) ?? ""}${kind} ${qualified} ${owner}\n`);
  }
  return names;
}

/** In the order of their paths. */
export function followChanges(writer: CodeWriter, changes: Changes, project: ProjectFiles): string[] {
  const paths: string[] = [];
  for (const { path, language } of project.modules()) if (language !== "config") paths.push(path);
  if (changes.everything || changes.noticed.surfaces.size > paths.length * MOST_FOLLOWED) return paths;
  if (!changes.any) return paths.filter((path) => changes.fresh.has(path));
  const { added, removed, noticed } = changes;
  for (const path of [...added, ...removed]) noticed.paths.add(path);
  if (added.size + removed.size > 0) for (const family of reshaped(project, changes)) noticed.families.add(family);
  const found = affected(writer.needs(), noticed);
  return paths.filter((path) => found.has(path) || changes.fresh.has(path));
}

/** Families for which the list of all files is another now. */
function reshaped(project: ProjectFiles, { added, removed }: Changes): Family[] {
  const before = new Set(project.paths);
  for (const path of added) before.delete(path);
  for (const path of removed) before.add(path);
  const then = moduleResolvers({ ...project, paths: before });
  const now = moduleResolvers(project);
  const families = new Set<Family>();
  for (const { language } of project.modules()) families.add(familyOf(language));
  return [...families].filter((family) => {
    const { shape } = now(family);
    return shape === undefined || (shape !== "" && shape !== then(family).shape);
  });
}
