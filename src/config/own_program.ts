/**
 * The command with which other programs start dex: `dex` if it is on the PATH, because that survives updates and moves,
 * and otherwise the path of its own file.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { asObject, parseJson } from "../kernel/json.ts";
import { pathFolders } from "../kernel/programs.ts";

const PACKAGE = "dex-context";
const MAX_SCRIPT_CHARS = 10_000;
const NAMES = /^(dex(\.js|\.cmd|\.exe)?|dex-context(@.*)?)$/;
/** Names in a script that starts this program: its package, its file, or the manager that chooses the version. */
const NAMED_BY_A_SCRIPT = /dex-context|dex\.js|asdf|nodenv/;

/** The command that starts dex, without a verb. */
export function programCommand(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  return onPath(vars, platform).some(isThisProgram) ? ["dex"] : [process.execPath, ownProgram()];
}

/** `dex.js` is in the same folder as every file of the build. */
export function ownProgram(): string {
  const here = import.meta.dirname;
  const found = [join(here, "dex.js"), join(here, "../../dist/dex.js")].find((file) => existsSync(file));
  if (found) return found;
  throw new DexError("not_built", "The program that agents would start is not built.", {
    hint: "Run `npm run build`.",
  });
}

/** The first file called `dex` on the PATH. Skips folders that npm adds while it runs: an agent will not have them. */
function onPath(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const names = platform === "win32" ? ["dex.cmd", "dex.exe"] : ["dex"];
  return pathFolders(vars)
    .filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)
    .slice(0, 1);
}

/** Other programs are called dex, too. This one is a link into its package, on Windows a script that names the package. */
function isThisProgram(file: string): boolean {
  try {
    const target = realpathSync(file);
    if (/\.(cmd|exe)$/.test(target)) return readFileSync(target, "latin1").slice(0, MAX_SCRIPT_CHARS).includes(PACKAGE);
    const manifest = readFileSync(join(dirname(target), "..", "package.json"), "utf8");
    return asObject(parseJson(manifest)).name === PACKAGE;
  } catch {
    return false;
  }
}

/**
 * Whether a word of a command line is dex by any path, or its package for a runner such as npx. A path at which another
 * program of that name lives is not; one at which nothing lives may have been dex.
 */
export function isDex(word: string): boolean {
  return NAMES.test(basename(word.replaceAll("\\", "/"))) && !(isAbsolute(word) && isAnotherProgram(word));
}

function isAnotherProgram(file: string): boolean {
  try {
    // A link to something of another name is how version managers start every program.
    if (!NAMES.test(basename(realpathSync(file))) || !statSync(file).isFile() || isThisProgram(file)) return false;
    return !NAMED_BY_A_SCRIPT.test(readFileSync(file, "latin1").slice(0, MAX_SCRIPT_CHARS));
  } catch {
    return false;
  }
}

/** The first file of a command line that is missing; a bare `dex` is looked for on the PATH. */
export function missingProgram(
  launch: readonly string[],
  vars: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | undefined {
  const [command = "", ...args] = launch;
  const lost = [command, ...args].find((word) => isAbsolute(word) && !existsSync(word));
  if (lost !== undefined) return lost;
  return command === "dex" && onPath(vars, platform).length === 0 ? "dex" : undefined;
}
