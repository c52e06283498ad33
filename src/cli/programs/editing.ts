/**
 * `dex config edit`: a copy is edited, and takes the place of the settings when dex would accept it. So a slip in an
 * editor never leaves a dex that does not start.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { checkedConfig, withConfigLock, writeConfig } from "../../config/file.ts";
import { dexPaths } from "../../config/paths.ts";
import { readConfigText } from "../../config/settings.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";

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
        process.stderr.write("dex: nothing was changed\n");
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
        throw new DexError("bad_config", "The settings were not saved.", { hint: `${config} is as it was.` });
      }
    }
  } finally {
    rmSync(copy, { force: true });
  }
}

/** An editor may be open for long: what another command wrote meanwhile is not written over. */
function saveEdited(config: string, before: string | undefined, text: string): void {
  if (readConfigText(config) === before) {
    writeConfig(config, text);
    return;
  }
  const kept = `${config}.edited`;
  writeFileAtomic(kept, text);
  throw new DexError("changed_meanwhile", `${config} was changed by another command while it was edited.`, {
    hint: `Your text is in ${kept}; put it in with \`dex config edit\`.`,
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
  const { error, status } = spawnSync(command, [...args, path], { stdio: "inherit" });
  if (error) {
    throw new DexError("no_editor", `${command} could not be started: ${errorMessage(error)}.`, {
      hint: "Set EDITOR to your editor.",
    });
  }
  if (status !== 0) throw new DexError("editor_failed", `${command} ended with ${status}: nothing was changed.`);
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
