/**
 * Where Node keeps dex's compiled code, so that the next start need not compile it again. What lies there is run without
 * a look at it, and Node's own default is a folder of the shared temporary directory that any user of the machine can
 * make first. So only a folder inside of dex's home is used that belongs to the user and that nobody else can enter;
 * where there is none and none can be made, dex starts without it. Loads nothing but Node's own modules: every start
 * waits for this.
 */
import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;

/** Undefined when no private folder can be had. dex creates none before DEX_HOME exists. */
export function compileCacheFolder(vars: NodeJS.ProcessEnv): string | undefined {
  const home = vars.DEX_HOME ? resolve(vars.DEX_HOME) : join(vars.HOME || vars.USERPROFILE || homedir(), ".dex");
  const folder = join(home, "compile-cache");
  try {
    // A home may be a link to another disk, as long as the user made it.
    if (!isOwn(lstatSync(home)) || !isOwnFolder(statSync(home), OTHERS_WRITE)) return undefined;
    const known = lstatSync(folder, { throwIfNoEntry: false });
    if (!known) mkdirSync(folder, { mode: 0o700 });
    return isOwnFolder(known ?? lstatSync(folder), OTHERS) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isOwnFolder(stats: Stats, closed: number): boolean {
  return stats.isDirectory() && isOwn(stats) && (process.getuid === undefined || (stats.mode & closed) === 0);
}

/** Where the system knows no owners, a home is the user's by its place. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
