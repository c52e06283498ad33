/** A separate home and project, with dex opened in the project, for tests of collections. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as z from "zod";
import { Dex } from "../../../src/dex.ts";
import type { Operation } from "../../../src/operations/operation.ts";
import { runOperation } from "../../../src/operations/run.ts";
import { temporaryFolder } from "../repository.ts";

export class DocsHome {
  readonly home: string;
  readonly project: string;
  readonly vars: NodeJS.ProcessEnv;

  constructor(vars: Record<string, string> = {}) {
    this.home = temporaryFolder();
    this.project = join(this.home, "project");
    mkdirSync(join(this.project, ".git"), { recursive: true });
    this.vars = {
      PATH: process.env.PATH,
      HOME: this.home,
      DEX_HOME: join(this.home, ".dex"),
      DEX_DOCS_DELAY_MS: "0",
      // Only collections that a test declares.
      DEX_DOCS_PROJECT: "false",
      ...vars,
    };
  }

  write(path: string, content: string | Buffer): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Runs a verb as the command line would, in a fresh application. */
  async run<In extends z.ZodObject, Out extends z.ZodType>(
    operation: Operation<In, Out>,
    input: z.input<In>,
    options: { cwd?: string; vars?: Record<string, string>; notices?: string[] } = {},
  ): Promise<z.output<Out>> {
    const dex = await Dex.open({ vars: { ...this.vars, ...options.vars }, cwd: options.cwd ?? this.project });
    try {
      const { output, notice } = await runOperation(dex, operation, operation.input.parse(input));
      if (notice) options.notices?.push(notice);
      return output;
    } finally {
      dex.close();
    }
  }
}
