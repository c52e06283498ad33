/**
 * Calls of a PHP project as the reference for scores: those that a run of one of its programs really makes, recorded by
 * Xdebug. A line that the run did not reach decides nothing.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Gold, GoldCall } from "../score.ts";
import { type RecordedCall, recordedCalls } from "./recorded.ts";

const CONSTRUCTOR = "__construct";

/** `command` runs in the folder; its parts are separated by spaces. */
export function phpGold(folder: string, files: readonly string[], command: string): Gold {
  const texts = new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8").split("\n")]));
  const calls = recorded(folder, command).filter(({ path }) => texts.has(path));
  // A class may inherit a constructor from outside the project.
  const decided = calls.filter(({ name, target }) => target || name !== CONSTRUCTOR);
  const seen = new Set(decided.map(({ path, line, name }) => `${path}:${line}:${name}`));
  const found = new Map<string, GoldCall & { targets: NonNullable<RecordedCall["target"]>[] }>();
  for (const { path, line, name, target } of calls) {
    if (!target || !isWritten(texts.get(path)?.[line - 1] ?? "", name)) continue;
    const key = `${path}:${line}:${name}`;
    const call = found.get(key) ?? { path, line, targets: [] };
    call.targets.push(target);
    found.set(key, call);
  }
  return {
    calls: [...found.values()],
    imports: new Set(),
    decided: (path, line, name) => seen.has(`${path}:${line}:${/^[A-Z]/.test(name) ? CONSTRUCTOR : name}`),
  };
}

/** A callback that a function of the library calls, and the methods that the language calls by itself, are left out. */
function isWritten(text: string, name: string): boolean {
  if (name === CONSTRUCTOR) return /\bnew\b|(::|->)__construct\b/.test(text);
  return new RegExp(`\\b${name}\\s*\\(`).test(text);
}

function recorded(folder: string, command: string): RecordedCall[] {
  const settings = mkdtempSync(join(tmpdir(), "dex-php-"));
  try {
    const prepended = `auto_prepend_file=${join(import.meta.dirname, "php_calls.php")}\n`;
    writeFileSync(join(settings, "dex.ini"), `${prepended}xdebug.mode=trace\nxdebug.start_with_request=no\n`);
    // The folder of PHP's own settings comes first.
    return recordedCalls(folder, command, { PHP_INI_SCAN_DIR: `:${settings}` });
  } finally {
    rmSync(settings, { recursive: true, force: true });
  }
}
