#!/usr/bin/env node
/** The installed program. Any version of Node can parse it, so an old one prints a sentence instead of a stack trace. */
import module from "node:module";
import { compileCacheFolder } from "./compile_cache.ts";

const MIN_NODE_VERSION = 24;
const major = Number(process.versions.node.split(".")[0]);

if (major < MIN_NODE_VERSION) {
  process.stderr.write(`dex needs Node ${MIN_NODE_VERSION} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const cache = compileCacheFolder(process.env);
  if (cache !== undefined) module.enableCompileCache(cache);
  const argv = process.argv.slice(2);
  // An agent waits for a hook, so nothing else is loaded; and hosts read a failing status as a refusal, so no word
  // behind it is an error.
  const isHelp = argv.includes("--help") || argv.includes("-h");
  if (argv[0] === "hook" && !isHelp) process.exit(await (await loadHook()).hook(argv.slice(1)));
  if (argv[0] === "statusline" && !isHelp) process.exit(await (await loadStatusLine()).statusline());
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

function loadHook(): Promise<typeof import("../hooks/hook.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "../hooks/hook.ts" : "./hook.js";
  return import(file);
}
