import * as z from "zod";
import { defineProgram } from "../command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export const completion = defineProgram({
  verb: "completion",
  summary: "Print the completion script of a shell: bash, zsh or fish",
  about: `Prints a script that completes commands, options, and values such as projects and conversations.

  bash    source <(dex completion bash)                         in ~/.bashrc
  zsh     source <(dex completion zsh)                          in ~/.zshrc, after compinit
  fish    dex completion fish > ~/.config/fish/completions/dex.fish`,
  positionals: ["shell"],
  input: z.strictObject({
    shell: z
      .string()
      .max(4096)
      .default("")
      .describe(`The shell: ${SHELLS.join(", ")}`),
    // The completion scripts pass this to get values of the index; `shell` is then the word typed so far.
    values: z.string().max(100).optional(),
  }),
  hidden: ["values"],
  run: async (input) => (await import("../completion/completion.ts")).complete(input),
});
