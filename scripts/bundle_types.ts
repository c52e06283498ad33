/**
 * Writes `dist/index.d.ts`: the types of the public API in one file. TypeScript emits one file per module; rolldown
 * joins them.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

export async function bundleTypes(root: string): Promise<void> {
  // Below the root, so packages can be resolved from it.
  const emitted = mkdtempSync(join(root, "dist/types-"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json", "--outDir", emitted], {
      cwd: root,
      stdio: "inherit",
    });
    const bundle = await rolldown({
      input: join(emitted, "index.d.ts"),
      plugins: [dts({ dtsInput: true })],
      // The types of schemas stay those of the package zod, which is why it is a dependency.
      external: [/^node:/, /^zod/],
      checks: { pluginTimings: false },
      logLevel: "warn",
    });
    await bundle.write({ dir: join(root, "dist"), format: "es" });
    await bundle.close();
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}
