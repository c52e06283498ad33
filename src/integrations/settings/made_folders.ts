/**
 * The folders that dex created for settings of agents. When dex removes its file again and nothing else is in such a
 * folder, it removes the folder, too: an empty one looks as if the agent were used.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { dexPaths } from "../../config/paths.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { asArray, asString, parseJson } from "../../kernel/json.ts";

export class MadeFolders {
  readonly #path: string;

  constructor(vars: NodeJS.ProcessEnv) {
    this.#path = dexPaths(vars).agentFolders;
  }

  has(folder: string): boolean {
    return this.#read().includes(folder);
  }

  /** Runs what creates the file, and remembers the folders that it created for it. */
  creating(file: string, write: () => void): void {
    const missing = missingAbove(file);
    write();
    const made = missing.filter((folder) => existsSync(folder));
    if (made.length === 0) return;
    const known = this.#read().filter((folder) => existsSync(folder));
    writeFileAtomic(this.#path, `${JSON.stringify([...new Set([...known, ...made])])}\n`);
  }

  #read(): string[] {
    if (!existsSync(this.#path)) return [];
    return asArray(parseJson(readFileSync(this.#path, "utf8"))).flatMap((folder) => asString(folder) ?? []);
  }
}

function missingAbove(file: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(file); !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    missing.push(folder);
  }
  return missing;
}
