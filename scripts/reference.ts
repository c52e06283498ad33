/**
 * Generates the parts of the documentation that come from the program: the pages of commands and errors, and the picture
 * in the README. With --check it only reports which of them are out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePage } from "../src/cli/reference.ts";
import { errorsPage } from "./docs/errors.ts";
import { sessionPicture } from "./docs/session.ts";

const root = join(import.meta.dirname, "..");
const generated: Readonly<Record<string, string>> = {
  "docs/reference/commands.md": await referencePage(),
  "docs/reference/errors.md": await errorsPage(root),
  "docs/session.svg": sessionPicture(root),
};

for (const [path, text] of Object.entries(generated)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(join(root, path), text);
  } else if (readFileSync(join(root, path), "utf8") !== text) {
    process.stderr.write(`${path} is out of date: run \`npm run reference\`.\n`);
    process.exitCode = 1;
  }
}
