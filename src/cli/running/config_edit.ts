/**
 * `dex config edit`: opens a copy in the editor and replaces the settings only when the copy is valid, so that a typo
 * cannot leave a dex that does not start.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { checkedConfig, withConfigLock, writeConfig } from "../../config/file.ts";
import { dexPaths } from "../../config/paths.ts";
import { readConfigText } from "../../config/settings.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { programFile, withSafePath } from "../../kernel/programs.ts";

const EMPTY = "# Settings of dex: `dex config list` names them, docs/guide/configuration.md explains them.\n";

export async function editConfig(): Promise<number> {
  const { config } = dexPaths(process.env);
  const before = readConfigText(config);
  const copy = `${config}.${process.pid}.yaml`;
  writeFileAtomic(copy, before ?? EMPTY);
  try {
    for (;;) {
      openEditor(copy);
      const text = readFileSync(copy, "utf8");
      if (text === (before ?? EMPTY)) {
        process.stderr.write("dex: the settings are unchanged\n");
        return 0;
      }
      const problem = await problemIn(text, config);
      if (problem === undefined) {
        await withConfigLock(config, () => saveEdited(config, before, text));
        process.stderr.write(`dex: saved ${config}\n`);
        return 0;
      }
      process.stderr.write(`dex: ${problem}\n`);
      if (!(await editAgain())) {
        throw new DexError("bad_config", "The settings were not saved.", { hint: `${config} is unchanged.` });
      }
    }
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Never overwrites changes that another command made while the editor was open. */
function saveEdited(config: string, before: string | undefined, text: string): void {
  if (readConfigText(config) === before) {
    writeConfig(config, text);
    return;
  }
  const copy = `${config}.edited`;
  writeFileAtomic(copy, text);
  throw new DexError("changed_meanwhile", `Another command changed ${config} while it was open in the editor.`, {
    hint: `Your version is saved as ${copy}; merge it with \`dex config edit\`.`,
  });
}

async function problemIn(text: string, config: string): Promise<string | undefined> {
  try {
    return (await checkedConfig(text, config))[0];
  } catch (error) {
    if (error instanceof DexError) return error.message;
    throw error;
  }
}

/** The variable may hold arguments: `code --wait`. */
function openEditor(path: string): void {
  const fallback = process.platform === "win32" ? "notepad" : "vi";
  const words = (process.env.VISUAL || process.env.EDITOR || fallback).trim().split(/\s+/);
  const [command = fallback, ...args] = words;
  const { error, status } = spawnSync(programFile(command, process.env), [...args, path], {
    stdio: "inherit",
    env: withSafePath(process.env),
  });
  if (error) {
    throw new DexError("no_editor", `${command} could not be started: ${errorMessage(error)}.`, {
      hint: "Set EDITOR to your editor.",
    });
  }
  if (status !== 0)
    throw new DexError("editor_failed", `${command} exited with status ${status}; the settings are unchanged.`);
}

async function editAgain(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return !/^n/i.test((await lines.question("Edit again? [Y/n] ")).trim());
  } finally {
    lines.close();
  }
}
