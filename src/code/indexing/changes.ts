/** The changes of a run that are visible to other files, and the files whose edges they can affect. */
import type { CodeWriter } from "../../store/code.ts";
import { type PublicFacts, parsePublicFacts, type Surface } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import { familyOf } from "../languages/registry.ts";
import type { ProjectFiles } from "../modules/module.ts";
import { moduleResolvers } from "../modules/registry.ts";
import { affectedFiles, type Dependencies, noDependencies } from "../resolving/project/dependencies.ts";

/** When a larger share of the files changed, resolving all files is cheaper than following each change. */
const MAX_FOLLOWED_SHARE = 0.5;

export class Changes {
  /** Paths of the files that were read in this run. */
  readonly fresh = new Set<string>();
  /** Changes that other files' edges may depend on. */
  readonly visible: Dependencies = noDependencies();
  readonly added = new Set<string>();
  readonly removed = new Set<string>();
  /** The import configuration changed, or nothing was indexed before: all edges are resolved again. */
  everything: boolean;

  constructor(firstIndex: boolean) {
    this.everything = firstIndex;
  }

  get any(): boolean {
    return this.everything || this.visible.surfaces.size > 0;
  }

  /** A file is stored; `before` and `now` are its public facts. */
  putFile(path: string, before: string | undefined, now: string): void {
    this.fresh.add(path);
    if (this.everything || before === now) return;
    if (before === undefined) this.added.add(path);
    this.#note(path, before === undefined ? {} : parsePublicFacts(before), parsePublicFacts(now));
  }

  removeFile(path: string, before: string): void {
    if (this.everything) return;
    this.removed.add(path);
    this.#note(path, parsePublicFacts(before), {});
  }

  #note(path: string, before: PublicFacts, now: PublicFacts): void {
    if (before.config !== now.config) this.everything = true;
    this.visible.surfaces.add(path);
    const [oldNames, newNames] = [namesOf(before.surface), namesOf(now.surface)];
    for (const [name, definitions] of oldNames) if (newNames.get(name) !== definitions) this.visible.names.add(name);
    for (const name of newNames.keys()) if (!oldNames.has(name)) this.visible.names.add(name);
    if (before.surface && now.surface && before.surface.module !== now.surface.module) {
      this.visible.families.add(familyOf(now.surface.language));
    }
  }
}

/** Each name with a description of all its definitions. */
function namesOf(surface: Surface | undefined): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, kind, qualified, parent, exported } of surface?.entities ?? []) {
    const owner = surface?.entities[parent]?.kind ?? "";
    names.set(name, `${names.get(name) ?? ""}${kind} ${qualified} ${owner} ${exported}\n`);
  }
  return names;
}

/** Files whose edges must be resolved again, ordered by path. */
export function filesToResolve(writer: CodeWriter, changes: Changes, project: ProjectFiles): string[] {
  const paths: string[] = [];
  for (const { path, language } of project.modules()) if (language !== "config") paths.push(path);
  if (changes.everything || changes.visible.surfaces.size > paths.length * MAX_FOLLOWED_SHARE) return paths;
  if (!changes.any) return paths.filter((path) => changes.fresh.has(path));
  const { added, removed, visible } = changes;
  for (const path of [...added, ...removed]) visible.paths.add(path);
  if (added.size + removed.size > 0)
    for (const family of reshapedFamilies(project, changes)) visible.families.add(family);
  const found = affectedFiles(writer.needs(), visible);
  return paths.filter((path) => found.has(path) || changes.fresh.has(path));
}

/** Families whose import resolution depends on the list of files and sees a different one now. */
function reshapedFamilies(project: ProjectFiles, { added, removed }: Changes): Family[] {
  const before = new Set(project.paths);
  for (const path of added) before.delete(path);
  for (const path of removed) before.add(path);
  const old = moduleResolvers({ ...project, paths: before });
  const now = moduleResolvers(project);
  const families = new Set<Family>();
  for (const { language } of project.modules()) families.add(familyOf(language));
  return [...families].filter((family) => {
    const { shape } = now(family);
    return shape === undefined || (shape !== "" && shape !== old(family).shape);
  });
}
