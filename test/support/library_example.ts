/** The program on docs/guide/library.md, as people copy it from there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function libraryExample(): string {
  const page = readFileSync(join(import.meta.dirname, "../../docs/guide/library.md"), "utf8");
  const code = /^```ts\n([\s\S]+?)^```$/m.exec(page)?.[1];
  if (code === undefined) throw new Error("docs/guide/library.md has no example in TypeScript");
  return code;
}
