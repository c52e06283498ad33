/** Writes docs/reference/commands.md from the operations; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePage } from "../src/cli/reference.ts";

const path = join(import.meta.dirname, "../docs/reference/commands.md");
const page = await referencePage();

if (!process.argv.includes("--check")) {
  writeFileSync(path, page);
} else if (readFileSync(path, "utf8") !== page) {
  process.stderr.write("docs/reference/commands.md is out of date: run `npm run reference`.\n");
  process.exitCode = 1;
}
