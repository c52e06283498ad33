/**
 * Compiles `wasm/loops.ts` (AssemblyScript) into `src/loops/code.ts`, which is kept in git: the tests run the sources as
 * they are, without a build.
 *
 *   npm run loops -- [--check]
 *
 * --check: writes nothing, and fails if the file is not what the compiler makes of its source.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

const root = join(import.meta.dirname, "..");
const target = join(root, "src/loops/code.ts");
const OPTIONS = ["--runtime", "stub", "--noAssert", "--importMemory", "--enable", "simd"];
const LEVELS = ["--optimizeLevel", "3", "--shrinkLevel", "1"];

const made = await compiled();
if (!process.argv.includes("--check")) writeFileSync(target, made);
else if (readFileSync(target, "utf8") !== made) {
  process.stderr.write("src/loops/code.ts is not made from wasm/loops.ts as it is now. Run: npm run loops\n");
  process.exitCode = 1;
}

async function compiled(): Promise<string> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ["wasm/loops.ts", "--baseDir", root, "--outFile", "loops.wasm", ...OPTIONS, ...LEVELS],
    {
      writeFile: (_name, contents) => {
        code = contents as Uint8Array;
      },
    },
  );
  if (error || !code) throw new Error(`wasm/loops.ts does not compile: ${stderr.toString()}`);
  const text = Buffer.from(code).toString("base64");
  return `/** WebAssembly made from wasm/loops.ts by \`npm run loops\`, in base64. */
export const LOOPS_CODE =
  "${text}";
`;
}
