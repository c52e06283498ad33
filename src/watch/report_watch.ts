/** Folders of test reports that lie in ignored ones have watches of their own; a clean build removes and makes them. */
import { join } from "node:path";
import { errorMessage } from "../kernel/errors.ts";
import type { Native } from "./native.ts";
import type { Reports } from "./reports.ts";
import { TreeWatch } from "./tree.ts";

export class ReportWatch {
  readonly #native: Native;
  readonly #root: string;
  readonly #reports: Reports;
  readonly #told: (paths: readonly string[]) => void;
  readonly #trees = new Map<string, TreeWatch | undefined>();

  constructor(native: Native, root: string, reports: Reports, told: (paths: readonly string[]) => void) {
    this.#native = native;
    this.#root = root;
    this.#reports = reports;
    this.#told = told;
  }

  /** Begins to watch those that came; what is in them already is told. */
  async refresh(report: (line: string) => void): Promise<void> {
    for (const folder of this.#reports.folders()) {
      if (this.#trees.has(folder)) continue;
      this.#trees.set(folder, undefined);
      try {
        this.#trees.set(folder, await this.#open(folder));
        this.#told([folder]);
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
        this.#told(paths.map((path) => (path === "" ? folder : `${folder}/${path}`)));
      },
      unclear: () => this.#told([folder]),
    });
  }

  #drop(folder: string): void {
    void this.#trees.get(folder)?.close();
    this.#trees.delete(folder);
  }
}
