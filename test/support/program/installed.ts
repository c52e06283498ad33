/** Programs of others that tests run: installed once into `.cache/tools`, of one exact version each. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../../../src/kernel/lock.ts";
import { CHECKOUT } from "./checkout.ts";
import { HANG_MS } from "./limits.ts";

const tools = join(CHECKOUT, ".cache/tools");
/** The largest are some hundred megabytes. */
const PATIENCE = HANG_MS;
/**
 * If a new version of a dependency asks for one that the registry does not have yet, dependencies are installed as they
 * were this long after the release of the package. Not at once: registries may date platform packages weeks later.
 */
const SETTLED_DAYS = 7;
const NOT_SERVED =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|E403|E404|E50\d|ETARGET)\b/;

/**
 * The folder of an installed package, such as `name@1.2.3`; undefined if the registry cannot be reached or lacks
 * the package or a dependency of it, which is a reason to skip. Any other failure is thrown.
 */
export function installed(packageSpec: string, options: { scripts?: boolean } = {}): string | undefined {
  const at = packageSpec.lastIndexOf("@");
  const name = at > 0 ? packageSpec.slice(0, at) : packageSpec;
  const place = join(tools, packageSpec.replaceAll(/[^a-z0-9.-]+/gi, "_").replace(/^_/, ""));
  const folder = join(place, "node_modules", name);
  const done = join(place, "installed");
  if (existsSync(done)) return folder;
  mkdirSync(tools, { recursive: true });
  const lock = acquireLock(`${place}.lock`, PATIENCE);
  if (!lock) throw new Error(`another process has been installing ${packageSpec} for too long`);
  try {
    // Without the mark, a killed installation left it.
    if (existsSync(done)) return folder;
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    const allowScripts = options.scripts ? { [name]: true } : {};
    writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, allowScripts }));
    const flags = ["--no-audit", "--no-fund", "--no-progress", ...(options.scripts ? [] : ["--ignore-scripts"])];
    const install = (...more: string[]) => npm(["install", "--prefix", place, ...flags, ...more, packageSpec], place);
    const newest = install();
    const run = /\bETARGET\b/.test(newest.stderr) ? install(...asOfRelease(packageSpec, place)) : newest;
    if (run.status !== 0) {
      if (run.error === undefined && NOT_SERVED.test(run.stderr)) return undefined;
      throw new Error(`npm install ${packageSpec}: ${run.error?.message ?? run.stderr}`);
    }
    writeFileSync(done, "");
    return folder;
  } finally {
    lock.release();
  }
}

function npm(commandArguments: string[], folder: string): SpawnSyncReturns<string> {
  return spawnSync("npm", commandArguments, { cwd: folder, encoding: "utf8", timeout: PATIENCE });
}

/** The option for npm that leaves out later versions of dependencies; none if the registry keeps no release times. */
function asOfRelease(packageSpec: string, folder: string): string[] {
  const version = packageSpec.slice(packageSpec.lastIndexOf("@") + 1);
  const answer = npm(["view", packageSpec, "time", "--json"], folder);
  if (answer.status !== 0) return [];
  const times = JSON.parse(answer.stdout || "{}") as Record<string, string>;
  const released = Date.parse(times[version] ?? "");
  if (Number.isNaN(released)) return [];
  return ["--before", new Date(released + SETTLED_DAYS * 86_400_000).toISOString()];
}

/** The file of a command that an installed package provides. */
export function installedProgram(folder: string, command: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === "string" ? bin : bin[command];
  if (file === undefined) throw new Error(`${folder} provides no command ${command}`);
  return join(folder, file);
}

/** For `skip`: the reason, or false if the package is installed. */
export function missing(packageSpec: string, folder: string | undefined): string | false {
  return folder === undefined && `${packageSpec} is not installed, and the registry cannot be reached or lacks it`;
}
