/**
 * The command that agents start dex's server with, and how an entry that does so is recognised. `dex` alone survives
 * updates and moves; where it cannot be found on the PATH, the program's own place is named.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { DexError } from "../kernel/errors.ts";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../kernel/json.ts";

const SERVE = "serve";
const PACKAGE = "dex-context";

export function launchCommand(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  return [...programCommand(vars, platform), SERVE];
}

/** What starts dex, without a verb. */
export function programCommand(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  return onPath(vars, platform).some(isThisProgram) ? ["dex"] : [process.execPath, ownProgram()];
}

/** `dex.js` lies beside every file of the build. */
export function ownProgram(): string {
  const here = import.meta.dirname;
  const found = [join(here, "dex.js"), join(here, "../../dist/dex.js")].find((file) => existsSync(file));
  if (found) return found;
  throw new DexError("not_built", "The program that agents would start is not built.", {
    hint: "Run `npm run build`.",
  });
}

/** Files called `dex` in the folders of the PATH that an agent will have, too: not those npm adds while it runs. */
function onPath(vars: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const names = platform === "win32" ? ["dex.cmd", "dex.exe"] : ["dex"];
  return (vars.PATH ?? vars.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)
    .slice(0, 1);
}

/** Other programs are called dex, too. Ours is a link into its package, on Windows a script that names it. */
function isThisProgram(file: string): boolean {
  try {
    const target = realpathSync(file);
    if (/\.(cmd|exe)$/.test(target)) return readFileSync(target, "latin1").slice(0, 10_000).includes(PACKAGE);
    const manifest = readFileSync(join(dirname(target), "..", "package.json"), "utf8");
    return asObject(parseJson(manifest)).name === PACKAGE;
  } catch {
    return false;
  }
}

/** What an entry starts: its command and arguments in one list. */
export function argvOf(entry: JsonObject): string[] {
  const strings = (value: unknown): string[] => asArray(value).flatMap((word) => asString(word) ?? []);
  const command = asString(entry.command);
  return [...(command === undefined ? strings(entry.command) : [command]), ...strings(entry.args)];
}

/** The words up to `serve` if they start dex's server. What follows is the user's choice and stays. */
export function launchOf(entry: JsonObject): string[] | undefined {
  const argv = argvOf(entry);
  const at = argv.indexOf(SERVE);
  if (at < 1) return undefined;
  const program = basename((argv[at - 1] ?? "").replaceAll("\\", "/"));
  return /^(dex(\.js|\.cmd|\.exe)?|dex-context(@.*)?)$/.test(program) ? argv.slice(0, at + 1) : undefined;
}

/** The entry's own fields, changed only so that it starts `launch`. */
export function relaunched(entry: JsonObject, launch: readonly string[]): JsonObject {
  const rest = argvOf(entry).slice(launchOf(entry)?.length ?? 0);
  const words = [...launch, ...rest];
  return Array.isArray(entry.command) ? { command: words } : { command: words[0] ?? "", args: words.slice(1) };
}

/** The first file that an entry needs and that is not there; a bare name is looked for on the PATH. */
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
