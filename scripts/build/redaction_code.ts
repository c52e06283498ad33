/**
 * The code that redacts what sync writes to the archive. Whatever changes in it, archives of before count as redacted by
 * other rules: a file too many costs a second redaction, a missing one a secret.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LITERALS } from "../../src/redact/scan.ts";

const FILES = ["src/redact/**/*.ts", "src/loops/literals_code.ts", "src/sync/reading/fields.ts", "src/text/*.ts"];

export function redactionCode(root: string): string {
  const files = globSync(FILES, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  return files
    .sort()
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\0");
}

/** The texts that the rules look for. Of those that contain another, the other is enough. */
export function redactionLiterals(): string[] {
  return LITERALS.filter((one) => !LITERALS.some((other) => other !== one && one.includes(other)));
}
