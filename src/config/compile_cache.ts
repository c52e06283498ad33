/**
 * The folder of Node's compile cache, which speeds up the next start. Node runs the cached code without checking it, and
 * its default folder is in the shared temporary directory, where any user of the machine could create it first. So dex
 * uses only a folder inside its home that belongs to the user and that nobody else can enter, or no cache at all.
 *
 * Every start waits for this file. So it imports only Node's own modules, and their default exports: the build then leaves
 * out the code that Node runs to provide each export by name.
 */
import fs, { type Stats } from "node:fs";
import path from "node:path";

const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;

/** Undefined when no private folder is available. dex creates none before DEX_HOME exists. */
export function compileCacheFolder(vars: NodeJS.ProcessEnv): string | undefined {
  const home = vars.DEX_HOME
    ? path.resolve(vars.DEX_HOME)
    : path.join(vars.HOME || vars.USERPROFILE || process.getBuiltinModule("node:os").homedir(), ".dex");
  const folder = path.join(home, "compile-cache");
  try {
    // A home may be a link to another disk if the user owns the link.
    if (!isOwn(fs.lstatSync(home)) || !isOwnFolder(fs.statSync(home), OTHERS_WRITE)) return undefined;
    const known = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (!known) fs.mkdirSync(folder, { mode: 0o700 });
    return isOwnFolder(known ?? fs.lstatSync(folder), OTHERS) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isOwnFolder(stats: Stats, closed: number): boolean {
  return stats.isDirectory() && isOwn(stats) && (process.getuid === undefined || (stats.mode & closed) === 0);
}

/** On systems without file owners, a home belongs to the user because of its path. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
