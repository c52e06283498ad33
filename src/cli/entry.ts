#!/usr/bin/env node
/** The installed program. Any version of Node can parse it, so an old one prints a sentence instead of a stack trace. */
import path from "node:path";
import { compileCacheFolder } from "../config/compile_cache.ts";
import { loadWithCodeCache } from "../threads/code_cache.ts";

/** Hashes of `hook.cjs`, `program.cjs` and `serve.cjs`; the build defines them. */
declare const DEX_HOOK_BUILD: string;
declare const DEX_PROGRAM_BUILD: string;
declare const DEX_SERVE_BUILD: string;
/** The verbs that `program.cjs` contains, and the sets of tools, with spaces between them. */
declare const DEX_PROGRAM_VERBS: string;
declare const DEX_TOOLSETS: string;
/** Verbs of two words that begin with one of those, with commas between them. */
declare const DEX_LONGER_VERBS: string;

const MIN_NODE_VERSION = 24;
/**
 * Verbs that update an index. A long run compiles much that a short one does not need, and V8 reads a code cache whole, so
 * dex saves one only after a short run.
 */
const UPDATING_VERBS = ["sync", "push"];
const MAX_CACHED_UPDATE_SECONDS = 2;
/** On a busy machine the first hooks only compile: each late one saves its code, so that the next gets further. */
const MAX_SAVED_LATE = 3;
const HELP_WORDS = ["help", "--help", "-h"];
const isBuilt = !import.meta.url.endsWith(".ts");
const major = Number(process.versions.node.split(".")[0]);

if (major < MIN_NODE_VERSION) {
  process.stderr.write(`dex needs Node ${MIN_NODE_VERSION} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const cache = compileCacheFolder(process.env);
  const argv = process.argv.slice(2);
  // An agent waits for a hook, so nothing else is loaded. Agents read a failing exit status as a refusal, so an unknown
  // word after `hook` is not an error.
  const isHelp = argv.includes("--help") || argv.includes("-h");
  if (argv[0] === "hook" && !isHelp) await runHook(argv.slice(1), cache);
  if (argv[0] === "statusline" && !isHelp) process.exit(await (await loadStatusLine()).statusline());
  const verb = isHelp ? undefined : frequentVerb(argv);
  if (isBuilt && argv.length === 1 && HELP_WORDS.includes(argv[0] ?? "")) {
    process.exitCode = await (await loadHelp()).help();
  } else if (cache !== undefined && isPlainServe(argv)) {
    process.exitCode = await serveQuickly(argv[1] === "--tools" ? argv[2] : argv[1]?.slice("--tools=".length), cache);
  } else if (verb !== undefined && cache !== undefined) {
    process.exitCode = await runFrequent(verb, argv, cache);
  } else {
    if (cache !== undefined) process.getBuiltinModule("node:module").enableCompileCache(cache);
    const { main } = await loadMain();
    process.exitCode = await main(argv);
  }
}

/**
 * People and agents use these more often than all others. With `--in`, a search may need the PDF reader, which that
 * program does not have.
 */
function frequentVerb([verb = "", ...words]: readonly string[]): string | undefined {
  if (!isBuilt || !DEX_PROGRAM_VERBS.split(" ").includes(verb)) return undefined;
  if (DEX_LONGER_VERBS.split(",").includes(`${verb} ${words[0]}`)) return undefined;
  return words.some((word) => /^--?in?(?:=|$)/.test(word)) ? undefined : verb;
}

/** Runs the program of one file with the code cache of the verb. */
async function runFrequent(verb: string, argv: readonly string[], cache: string): Promise<number> {
  const file = path.join(import.meta.dirname, "program.cjs");
  const { module, save } = loadWithCodeCache<typeof import("./main.ts")>(file, DEX_PROGRAM_BUILD, cache, verb);
  const status = await module.main(argv);
  // With --no-sync a verb runs fewer functions, so it has a code cache of its own.
  const kind = argv.includes("--no-sync") ? `${verb}-no-sync` : verb;
  if (!UPDATING_VERBS.includes(verb) || process.uptime() < MAX_CACHED_UPDATE_SECONDS) save(kind);
  // Skips the teardown of the heap, unless something is pending: a trace on its way to a collector, or output that its
  // reader has not taken.
  if (process.getActiveResourcesInfo().length === 0 && module.isAllWritten()) process.exit(status);
  return status;
}

/** `dex serve` over stdio, with no option except `--tools` and known sets, as most agents start it. */
function isPlainServe([verb, ...words]: readonly string[]): boolean {
  if (!isBuilt || verb !== "serve") return false;
  const sets = /^--tools[= ]([a-z,]+)$/.exec(words.join(" "))?.[1]?.split(",");
  return sets === undefined ? words.length === 0 : sets.every((set) => DEX_TOOLSETS.split(" ").includes(set));
}

async function serveQuickly(tools: string | undefined, cache: string): Promise<number> {
  const file = path.join(import.meta.dirname, "serve.cjs");
  const { module: server, save } = loadWithCodeCache<typeof import("./quick_serve.ts")>(file, DEX_SERVE_BUILD, cache);
  return server.quickServe(tools, save);
}

function loadHelp(): Promise<typeof import("./help/help_program.ts")> {
  const file = "./help.js";
  return import(file);
}

/** Not a literal, so that the bundler keeps it a separate file, which an old Node never parses. */
function loadMain(): Promise<typeof import("./main.ts")> {
  const file = isBuilt ? "./main.js" : "./main.ts";
  return import(file);
}

function loadStatusLine(): Promise<typeof import("../hooks/statusline.ts")> {
  const file = isBuilt ? "./statusline.js" : "../hooks/statusline.ts";
  return import(file);
}

/** Never returns: it ends the process. */
async function runHook(argv: readonly string[], cache: string | undefined): Promise<never> {
  if (!isBuilt) {
    const file = "../hooks/hook.ts";
    const hooks: typeof import("../hooks/hook.ts") = await import(file);
    return (await hooks.hook(argv)).end();
  }
  const file = path.join(import.meta.dirname, "hook.cjs");
  const { module: hooks, save } = loadWithCodeCache<typeof import("../hooks/hook.ts")>(file, DEX_HOOK_BUILD, cache);
  const { end, kind, isLate } = await hooks.hook(argv);
  save(kind, isLate ? MAX_SAVED_LATE : 1);
  return end();
}
