#!/usr/bin/env node
/** The installed program. Parsed by whatever Node there is, so that an older one gets a sentence, not a stack trace. */
import module from "node:module";
import { compileCacheFolder } from "./compile_cache.ts";

const OLDEST = 24;
const major = Number(process.versions.node.split(".")[0]);

if (major < OLDEST) {
  process.stderr.write(`dex needs Node ${OLDEST} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const cache = compileCacheFolder(process.env);
  if (cache !== undefined) module.enableCompileCache(cache);
  const argv = process.argv.slice(2);
  // An agent waits for a hook, so nothing else is loaded; and hosts read a failing status as a refusal, so no word
  // behind it is an error.
  const isHook = argv[0] === "hook" && !argv.includes("--help") && !argv.includes("-h");
  if (isHook) process.exit(await (await loadHook()).hook(argv.slice(1)));
  const { main } = await loadMain();
  process.exitCode = await main(argv);
}

/** A file of its own also when bundled, so that an older Node never parses it; hence not a literal. */
function loadMain(): Promise<typeof import("./main.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "./main.ts" : "./main.js";
  return import(file);
}

function loadHook(): Promise<typeof import("../hooks/hook.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "../hooks/hook.ts" : "./hook.js";
  return import(file);
}
