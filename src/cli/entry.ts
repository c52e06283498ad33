#!/usr/bin/env node
/** The installed program. Parsed by whatever Node there is, so that an older one gets a sentence, not a stack trace. */
import module from "node:module";

const OLDEST = 24;
const major = Number(process.versions.node.split(".")[0]);

if (major < OLDEST) {
  process.stderr.write(`dex needs Node ${OLDEST} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  module.enableCompileCache();
  const { main } = await loadMain();
  process.exitCode = await main(process.argv.slice(2));
}

/** A file of its own also when bundled, so that an older Node never parses it; hence not a literal. */
function loadMain(): Promise<typeof import("./main.ts")> {
  const file = import.meta.url.endsWith(".ts") ? "./main.ts" : "./main.js";
  return import(file);
}
