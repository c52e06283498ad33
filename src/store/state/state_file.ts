/** `state.db` of an opened application: dex restores a lost file from its backup, and answers without a damaged one. */
import { statSync } from "node:fs";
import { openState, STATE_NOTICE } from "../engine/state.ts";
import { isBlank, restoreLostState } from "./backups.ts";
import { hasHeader } from "./health.ts";
import type { StateStore } from "./state.ts";

export class StateFile {
  readonly #path: string;
  readonly #notice: (text: string) => void;
  /** Stamp of the damaged file; dex ignores the file until it changes. */
  #damaged: string | undefined;

  constructor(path: string, notice: (text: string) => void) {
    this.#path = path;
    this.#notice = notice;
  }

  /** Whether there is a file that can be read; a missing or empty one is restored first. */
  get isUsable(): boolean {
    const restored = restoreLostState(this.#path);
    if (restored) {
      const from = new Date(restored.time).toISOString();
      this.#notice(`state.db was lost; it is restored from its backup of ${from}. Changes made after that are lost.`);
    }
    return !isBlank(this.#path) && !this.isDamaged;
  }

  /** Whether there is a file that cannot be read. */
  get isDamaged(): boolean {
    if (isBlank(this.#path) || (this.#damaged !== stampOf(this.#path) && hasHeader(this.#path))) return false;
    this.#notice(STATE_NOTICE);
    return true;
  }

  /** Call after finding damage: dex answers without the file until it is repaired. */
  leaveOut(): void {
    this.#damaged = stampOf(this.#path);
    this.#notice(STATE_NOTICE);
  }

  /** Runs with the file open, and closes it. A file that is not there yet is created. */
  use<T>(work: (state: StateStore) => T): T {
    const state = openState(this.#path);
    try {
      return work(state);
    } finally {
      state.close();
    }
  }
}

function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0, mtimeMs: 0 };
  return `${ino}:${size}:${mtimeMs}`;
}
