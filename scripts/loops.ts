/**
 * Compiles the AssemblyScript of `wasm/` into files that are kept in git: the tests run the sources as they are, without
 * a build.
 *
 *   npm run loops -- [--check]
 *
 * --check: writes nothing, and fails if a file is not what the compiler makes of its source.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

interface Program {
  readonly source: string;
  readonly target: string;
  /** The constant in the target that holds the code. */
  readonly constant: string;
  readonly features: readonly string[];
}

const root = join(import.meta.dirname, "..");
const OPTIONS = ["--runtime", "stub", "--noAssert", "--importMemory"];
const LEVELS = ["--optimizeLevel", "3", "--shrinkLevel", "1"];
const PROGRAMS: readonly Program[] = [
  { source: "wasm/loops.ts", target: "src/loops/code.ts", constant: "LOOPS_CODE", features: ["simd"] },
  { source: "wasm/analyser.ts", target: "src/loops/analyser_code.ts", constant: "ANALYSER_CODE", features: ["simd"] },
  { source: "wasm/literals.ts", target: "src/loops/literals_code.ts", constant: "LITERALS_CODE", features: [] },
  { source: "wasm/embedder.ts", target: "src/loops/embedder_code.ts", constant: "EMBEDDER_CODE", features: ["simd"] },
  {
    source: "wasm/encoder.ts",
    target: "src/embedding/encoder/code.ts",
    constant: "ENCODER_CODE",
    features: ["simd", "relaxed-simd"],
  },
];

for (const program of PROGRAMS) {
  const { source, target } = program;
  const file = join(root, target);
  const made = await compiled(program);
  if (!process.argv.includes("--check")) writeFileSync(file, made);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== made) {
    process.stderr.write(`${target} is not made from ${source} as it is now. Run: npm run loops\n`);
    process.exitCode = 1;
  }
}

async function compiled({ source, constant, features }: Program): Promise<string> {
  let code: Uint8Array | undefined;
  const enabled = features.flatMap((feature) => ["--enable", feature]);
  const { error, stderr } = await asc.main(
    [source, "--baseDir", root, "--outFile", "code.wasm", ...OPTIONS, ...enabled, ...LEVELS],
    {
      writeFile: (_name, contents) => {
        code = contents as Uint8Array;
      },
    },
  );
  if (error || !code) throw new Error(`${source} does not compile: ${stderr.toString()}`);
  const text = Buffer.from(code).toString("base64");
  return `/** WebAssembly made from ${source} by \`npm run loops\`, in base64. */
export const ${constant} =
  "${text}";
`;
}
