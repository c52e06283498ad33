/**
 * Loads a program of one file (the hook, a frequent verb, the server) with V8's code cache. Node's own compile cache has
 * only the functions that run while a file is loaded, so a hook would compile all others again for every event. dex
 * creates its cache after an event instead, and once more for each kind of event. The folder is private
 * (`config/compile_cache.ts`), and the build's hash is part of the file name, because V8 compares only the length of a
 * source. This file imports only Node's own modules, because every hook waits for it.
 */
import fs from "node:fs";
import nodePath from "node:path";
import vm from "node:vm";

export interface CachedProgram<Module> {
  module: Module;
  /** Call it after an event of this kind, when its functions are compiled. Saves the code `atMost` times per kind. */
  save(kind: string, atMost?: number): void;
}

const PRIVATE = 0o600;
const NEWLINE = 10;
/** A multiple of eight: V8 copies a cache that is not aligned. */
const FIRST_LINE_BYTES = 256;

/**
 * `file` is CommonJS inside its wrapper function, and `build` its hash. Without a `folder` nothing is cached. `part`
 * names the functions that this start will need, if known: each part has its own cache file, because V8 reads a cache
 * file whole.
 */
export function loadWithCodeCache<Module extends object>(
  file: string,
  build: string,
  folder: string | undefined,
  part?: string,
): CachedProgram<Module> {
  const name = nodePath.basename(file, ".cjs");
  const suffix = `-${build}-${process.version}-${process.arch}.bin`;
  const path = folder && nodePath.join(folder, `${name}${part === undefined ? "" : `-${part}`}${suffix}`);
  const known = path === undefined ? undefined : readCache(path);
  // The bundler writes ASCII only, which is faster to read as Latin-1 than as UTF-8.
  const source = fs.readFileSync(file, "latin1");
  const script = new vm.Script(source, {
    filename: file,
    cachedData: known?.code,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as Module };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  // Files next to it are loaded in the same way. Node's own parts need no loader, which would take a millisecond to make.
  const others = new Map<string, CachedProgram<object>>();
  const require = (wanted: string): unknown => {
    if (!wanted.startsWith("./")) return process.getBuiltinModule(wanted) ?? requireFrom(file)(wanted);
    const other = others.get(wanted) ?? loadWithCodeCache(nodePath.join(nodePath.dirname(file), wanted), build, folder);
    others.set(wanted, other);
    return other.module;
  };
  run(module.exports, require, module, file, nodePath.dirname(file));
  const kinds = known && script.cachedDataRejected !== true ? known.kinds : [];
  const isNew = (kind: string, atMost: number): boolean =>
    kinds.filter((known) => known === kind).length < atMost && [...kinds, kind].join(" ").length < FIRST_LINE_BYTES;
  return {
    module: module.exports,
    save: (kind, atMost = 1) => {
      if (path !== undefined && isNew(kind, atMost)) {
        kinds.push(kind);
        writeCache(path, { name, suffix }, kinds, script.createCachedData());
      }
      for (const other of others.values()) other.save("loaded");
    },
  };
}

/** Created lazily: every start waits for this file, and few need a loader. */
function requireFrom(file: string): NodeJS.Require {
  return process.getBuiltinModule("node:module").createRequire(file);
}

/** The first line, padded with spaces, has the kinds of events so far; the code follows. */
function readCache(path: string): { kinds: string[]; code: Buffer } | undefined {
  try {
    const bytes = fs.readFileSync(path);
    if (bytes[FIRST_LINE_BYTES - 1] !== NEWLINE) return undefined;
    const kinds = bytes.toString("latin1", 0, FIRST_LINE_BYTES).trimEnd().split(" ");
    return { kinds, code: bytes.subarray(FIRST_LINE_BYTES) };
  } catch {
    return undefined;
  }
}

/** Never fails: the next start compiles the code again. */
function writeCache(
  path: string,
  program: { name: string; suffix: string },
  kinds: readonly string[],
  code: Buffer,
): void {
  const folder = nodePath.dirname(path);
  // Threads of one process may save code at the same time.
  const part = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  const firstLine = `${kinds.join(" ").padEnd(FIRST_LINE_BYTES - 1)}\n`;
  try {
    fs.writeFileSync(part, Buffer.concat([Buffer.from(firstLine), code]), { mode: PRIVATE, flag: "wx" });
    fs.renameSync(part, path);
    for (const name of fs.readdirSync(folder)) {
      const isOlder = name.startsWith(`${program.name}-`) && name.endsWith(".bin") && !name.endsWith(program.suffix);
      if (isOlder) fs.rmSync(nodePath.join(folder, name), { force: true });
    }
  } catch {
    fs.rmSync(part, { force: true });
  }
}
