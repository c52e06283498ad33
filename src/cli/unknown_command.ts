/** The error for words that name no command: it says what the command may be called. */

import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { ownMember } from "../kernel/own_member.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { flagsOf } from "./flags.ts";
import { PROGRAMS } from "./programs/registry.ts";

/** Words that people type for a command of another name. */
const SAME_MEANING: Readonly<Record<string, readonly string[]>> = {
  why: ["ask", "blame"],
  log: ["history"],
  grep: ["search"],
  query: ["search"],
  ls: ["list"],
  get: ["show"],
  cat: ["show"],
  view: ["show"],
  open: ["show", "web"],
  ui: ["web"],
  dashboard: ["web"],
  cost: ["usage"],
  costs: ["usage"],
  remember: ["note", "pin"],
  delete: ["forget"],
  remove: ["forget"],
  rm: ["forget"],
  update: ["sync", "refresh"],
  status: ["stats", "doctor"],
  continue: ["resume"],
  context: ["pack", "suggest"],
};

export async function unknownCommand(argv: readonly string[]): Promise<DexError> {
  const verbs = [...Object.keys(OPERATIONS), ...Object.keys(PROGRAMS)];
  const [word = ""] = argv;
  const group = verbs.filter((verb) => verb.startsWith(`${word} `));
  // `dex callers` for `dex code callers`, `dex invite` for `dex team invite`.
  const asSecondWord = [...verbs, ...(await codeQuestions())].filter((verb) => verb.split(" ")[1] === word);
  const second = argv[1];
  if (group.length > 0 && second !== undefined && !second.startsWith("-")) {
    return unknownName({
      code: "unknown_command",
      sentence: `unknown command "${word} ${second}".`,
      typed: `${word} ${second}`,
      names: group,
      hint: `Use ${listed([...group, ...asSecondWord])}.`,
      show: (verb) => `\`dex ${verb}\``,
    });
  }
  if (group.length > 0) {
    return new DexError("unknown_command", `"dex ${word}" is not a complete command.`, {
      hint: `Use ${listed([...group, ...asSecondWord])}.`,
    });
  }
  if (word.startsWith("-")) {
    return new DexError("unknown_flag", `unknown option ${word.split("=")[0]}.`, {
      hint: "Options follow a command; `dex help` lists the commands.",
    });
  }
  const sentence = `unknown command "${word}".`;
  const complete = [...(ownMember(SAME_MEANING, word) ?? []), ...asSecondWord];
  if (complete.length > 0) {
    return new DexError("unknown_command", sentence, { hint: `Did you mean ${listed(complete, " or ")}?` });
  }
  return unknownName({
    code: "unknown_command",
    sentence,
    typed: word,
    names: verbs,
    hint: "`dex help` lists the commands.",
    show: (verb) => `\`dex ${verb}\``,
  });
}

/** `dex code` takes its question as a word, so that each reads like a command. */
async function codeQuestions(): Promise<string[]> {
  const code = await OPERATIONS.code?.();
  const question = code && flagsOf(code).find(({ path }) => path[0] === code.positionals[0]);
  return (question?.choices ?? []).map((choice) => `code ${choice}`);
}

function listed(verbs: readonly string[], separator = ", "): string {
  return verbs.map((verb) => `\`dex ${verb}\``).join(separator);
}
