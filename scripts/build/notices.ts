/** The licences of the packages whose code is in `dist`: most of them ask to be passed on with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** Code of others that a package contains under a licence that its own file does not name. */
const CONTAINED: Readonly<Record<string, string>> = {
  unpdf: "Contains PDF.js, Copyright Mozilla Foundation, under the Apache License 2.0 (its text is in this file).",
};

/** The packages that bundles were made from. */
export function packagesIn(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  return inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
}

export function noticesOf(root: string, packages: readonly string[]): string {
  return [...new Set(packages)]
    .sort()
    .map((name) => {
      const contained = CONTAINED[name];
      const text = contained === undefined ? licenceOf(root, name) : `${licenceOf(root, name)}\n\n${contained}`;
      return `${name}\n${"=".repeat(name.length)}\n${text}\n`;
    })
    .join("\n\n");
}

function licenceOf(root: string, name: string): string {
  const folder = join(root, "node_modules", name);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license?: string };
  // The Unlicense gives the code to the public and asks for nothing.
  if (license === "Unlicense") return license;
  throw new Error(`${name} has no licence`);
}
