/**
 * Decides whether a folder without a git repository is a project. Clients start servers in the home folder or in `/`;
 * treating these as a project would mean reading everything below, for minutes.
 */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { DexError } from "../errors.ts";
import { listNames } from "../files/bounded_list.ts";
import { isBelow } from "../files/paths.ts";

/** Files that describe how a project is built, for the languages that dex reads and some others. */
const MANIFEST =
  /^(?:package\.json|deno\.jsonc?|tsconfig\.json|jsconfig\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|Pipfile|go\.(?:mod|work)|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|build\.sbt|composer\.json|Gemfile|Rakefile|CMakeLists\.txt|Makefile|GNUmakefile|meson\.build|configure\.ac|mix\.exs|Package\.swift|pubspec\.yaml|context\.json|AGENTS\.md|CLAUDE\.md|.+\.(?:sln|slnx|csproj|fsproj|vbproj|gemspec|cabal))$/;
const MAX_ENTRIES = 5000;

/** The home folder and its parents are never projects. */
export function isProjectFolder(folder: string): boolean {
  if (holdsHome(folder)) return false;
  return listNames(folder, MAX_ENTRIES).names.some((name) => MANIFEST.test(name) && existsSync(join(folder, name)));
}

export function holdsHome(folder: string): boolean {
  return isBelow(folder, real(homedir()));
}

/** For work that reads everything below a folder, as a person may ask for in a home folder by mistake. */
export function refuseHome({ root, git }: { root: string; git: boolean }): void {
  if (git || !holdsHome(root)) return;
  throw new DexError("no_project", `${root} contains your home folder, so dex would read everything below it.`, {
    hint: "Name the folder of a project.",
  });
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
