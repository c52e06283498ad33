/** `dex completion bash|zsh|fish`: prints the completion script of a shell. */
import { DexError } from "../../kernel/errors.ts";
import { SHELLS } from "../programs/completion.ts";

export async function complete({
  shell: typed,
  values,
}: {
  shell: string;
  values?: string | undefined;
}): Promise<number> {
  if (values !== undefined) {
    const { printValues } = await import("./values.ts");
    await printValues(values, typed);
    return 0;
  }
  const shell = SHELLS.find((name) => name === typed);
  if (!shell) throw wrongShell(typed);
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
