/**
 * Compiles each source of `SOURCES` (AssemblyScript) into a file of `src/loops`, which is kept in git: the tests run the
 * sources as they are, without a build.
 *
 *   npm run loops -- [--check]
 *
 * --check: writes nothing, and fails if a file is not what the compiler makes of its source.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

const root = join(import.meta.dirname, "..");
const SOURCES = [
  { source: "wasm/loops.ts", target: "src/loops/code.ts", name: "LOOPS_CODE" },
  { source: "wasm/analyser.ts", target: "src/loops/analyser_code.ts", name: "ANALYSER_CODE" },
];
const OPTIONS = ["--runtime", "stub", "--noAssert", "--importMemory", "--enable", "simd"];
const LEVELS = ["--optimizeLevel", "3", "--shrinkLevel", "1"];

for (const { source, target, name } of SOURCES) {
  const made = await compiled(source, name);
  const file = join(root, target);
  if (!process.argv.includes("--check")) writeFileSync(file, made);
  else if (readFileSync(file, "utf8") !== made) {
    process.stderr.write(`${target} is not made from ${source} as it is now. Run: npm run loops\n`);
    process.exitCode = 1;
  }
}

async function compiled(source: string, name: string): Promise<string> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [source, "--baseDir", root, "--outFile", "loops.wasm", ...OPTIONS, ...LEVELS],
    {
      writeFile: (_name, contents) => {
        code = contents as Uint8Array;
      },
    },
  );
  if (error || !code) throw new Error(`${source} does not compile: ${stderr.toString()}`);
  const text = Buffer.from(code).toString("base64");
  return `/** WebAssembly made from ${source} by \`npm run loops\`, in base64. */
export const ${name} =
  "${text}";
`;
}
