/** `dex completion bash|zsh|fish`: prints the completion script of a shell. */
import { DexError } from "../../kernel/errors.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export async function complete(argv: readonly string[]): Promise<number> {
  const [first = "", what = "", typed = ""] = argv;
  if (first === "--values") {
    const { printValues } = await import("./values.ts");
    await printValues(what, typed);
    return 0;
  }
  const shell = SHELLS.find((name) => name === first);
  if (!shell || argv.length > 1) throw wrongShell(first);
  const [{ allCommands }, scripts] = await Promise.all([import("./commands.ts"), import("./scripts.ts")]);
  process.stdout.write(scripts[shell](await allCommands()));
  return 0;
}

function wrongShell(word: string): DexError {
  const named = word === "" ? "needs the name of a shell" : `does not support the shell "${word.slice(0, 60)}"`;
  return new DexError("bad_usage", `${named}.`, {
    hint: `It supports ${SHELLS.join(", ")}; \`dex completion --help\` shows how to set it up.`,
  });
}
