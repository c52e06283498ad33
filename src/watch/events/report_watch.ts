/** Watches folders of test reports separately, because git often ignores them. A clean build deletes and recreates them. */
import { join } from "node:path";
import { errorMessage } from "../../kernel/errors.ts";
import type { Reports } from "../reports.ts";
import type { Native } from "./native.ts";
import { TreeWatch } from "./tree.ts";

export class ReportWatch {
  readonly #native: Native;
  readonly #root: string;
  readonly #reports: Reports;
  readonly #changed: (paths: readonly string[]) => void;
  readonly #trees = new Map<string, TreeWatch | undefined>();

  constructor(native: Native, root: string, reports: Reports, changed: (paths: readonly string[]) => void) {
    this.#native = native;
    this.#root = root;
    this.#reports = reports;
    this.#changed = changed;
  }

  /** Watches new folders, and reports their current content as changed. */
  async refresh(report: (line: string) => void): Promise<void> {
    for (const folder of this.#reports.folders()) {
      if (this.#trees.has(folder)) continue;
      this.#trees.set(folder, undefined);
      try {
        this.#trees.set(folder, await this.#open(folder));
        this.#changed([folder]);
      } catch (error) {
        report(errorMessage(error));
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#trees.values()].map((tree) => tree?.close()));
  }

  #open(folder: string): Promise<TreeWatch> {
    return TreeWatch.open(this.#native, join(this.#root, folder), async () => [], {
      changed: (paths) => {
        if (paths.includes("")) this.#drop(folder);
        this.#changed(paths.map((path) => (path === "" ? folder : `${folder}/${path}`)));
      },
      unknownChange: () => this.#changed([folder]),
    });
  }

  #drop(folder: string): void {
    void this.#trees.get(folder)?.close();
    this.#trees.delete(folder);
  }
}
