/** What `dex serve` is asked for. */

import type { LibraryScope } from "../collections/library.ts";
import { endedWithQuestion, unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { TOOLSETS, type Toolset } from "../operations/operation.ts";

export interface ServeOptions {
  sets: ReadonlySet<Toolset>;
  /** Over HTTP; undefined for stdio. */
  port: number | undefined;
  /** Documentation that is served; nothing else can be asked for. */
  scope: LibraryScope;
}

const FLAGS = ["--tools", "--port", "--collections", "-c", "--no-global"];
const HINT = "`dex serve --help` shows how it is used.";

export function serveOptions(argv: readonly string[]): ServeOptions {
  let sets: Set<Toolset> | undefined;
  let port: number | undefined;
  let collections: string[] | undefined;
  let global = true;
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? "";
    const equals = word.indexOf("=");
    const flag = equals < 0 ? word : word.slice(0, equals);
    if (!FLAGS.includes(flag)) throw unknownWord(word, flag);
    if (flag === "--no-global") {
      if (equals >= 0) throw new DexError("bad_flag", "--no-global takes no value.", { hint: HINT });
      global = false;
      continue;
    }
    if (equals < 0) i += 1;
    const value = equals < 0 ? argv[i] : word.slice(equals + 1);
    if (value === undefined) throw new DexError("bad_flag", `${flag} needs a value.`, { hint: HINT });
    if (flag === "--tools") sets = setsOf(value);
    else if (flag === "--port") port = portOf(value);
    else {
      collections = [...(collections ?? []), value];
      // Several names may follow: `-c one two`.
      for (; equals < 0 && argv[i + 1] !== undefined && !argv[i + 1]?.startsWith("-"); i += 1) {
        collections.push(argv[i + 1] as string);
      }
    }
  }
  const scope = { ...(collections ? { collections } : {}), ...(global ? {} : { global }) };
  // Who limits the documentation means to serve it, and nothing that was not named.
  const usual: Toolset = Object.keys(scope).length > 0 ? "documents" : "conversations";
  return { sets: sets ?? new Set([usual]), port, scope };
}

function setsOf(value: string): Set<Toolset> {
  const names = value.split(",").map((name) => name.trim());
  return new Set(names.flatMap((name) => (name === "all" ? TOOLSETS : [setOf(name)])));
}

function setOf(name: string): Toolset {
  const set = TOOLSETS.find((each) => each === name);
  if (set) return set;
  throw new DexError("bad_flag", endedWithQuestion(`There is no set of tools "${name}"`, name, [...TOOLSETS, "all"]), {
    hint: `--tools takes ${TOOLSETS.join(", ")}, several with commas, or all.`,
  });
}

function portOf(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new DexError("bad_flag", `--port cannot be "${value}".`, { hint: "It takes a number from 0 to 65535." });
}

function unknownWord(word: string, flag: string): DexError {
  if (!word.startsWith("-")) return new DexError("bad_usage", `dex serve takes no "${word}".`, { hint: HINT });
  const sentence = `dex serve has no ${flag}.`;
  return unknownName({ code: "unknown_flag", sentence, typed: flag, names: FLAGS, list: HINT });
}
