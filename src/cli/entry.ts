#!/usr/bin/env node
/** The installed program. Any version of Node can parse it, so an old one prints a sentence instead of a stack trace. */
import module from "node:module";
import path from "node:path";
import { compileCacheFolder } from "./compile_cache.ts";
import { loadHookCode } from "./hook_code.ts";

/** A hash of `hook.cjs`; the build defines it. */
declare const DEX_HOOK_BUILD: string;

const MIN_NODE_VERSION = 24;
const major = Number(process.versions.node.split(".")[0]);

if (major < MIN_NODE_VERSION) {
  process.stderr.write(`dex needs Node ${MIN_NODE_VERSION} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const cache = compileCacheFolder(process.env);
  const argv = process.argv.slice(2);
  // An agent waits for a hook, so nothing else is loaded; and hosts read a failing status as a refusal, so no word
  // behind it is an error.
  const isHelp = argv.includes("--help") || argv.includes("-h");
  if (argv[0] === "hook" && !isHelp) process.exit(await runHook(argv.slice(1), cache));
  if (argv[0] === "statusline" && !isHelp) process.exit(await (await loadStatusLine()).statusline());
  if (cache !== undefined) module.enableCompileCache(cache);
  const { main } = await loadMain();
  process.exitCode = await main(argv);
}

/** Not a literal, so that the bundler keeps it a separate file, which an old Node never parses. */
function loadMain(): Promise<typeof import("./main.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "./main.ts" : "./main.js";
  return import(file);
}

function loadStatusLine(): Promise<typeof import("../hooks/statusline.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "../hooks/statusline.ts" : "./statusline.js";
  return import(file);
}

async function runHook(argv: readonly string[], cache: string | undefined): Promise<number> {
  if (import.meta.url.endsWith(".ts")) {
    const file = "../hooks/hook.ts";
    const hooks: typeof import("../hooks/hook.ts") = await import(file);
    return (await hooks.hook(argv)).status;
  }
  const { module: hooks, keep } = loadHookCode(path.join(import.meta.dirname, "hook.cjs"), DEX_HOOK_BUILD, cache);
  const { status, kind } = await hooks.hook(argv);
  keep(kind);
  return status;
}
