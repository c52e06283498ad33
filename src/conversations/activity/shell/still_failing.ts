/**
 * Finds the failed commands that still matter at the end of a conversation. A failure is settled if the work was
 * committed afterwards, or if everything in the command line passed later in another form: `go build && go test ./a`
 * after `go build` and `go test ./...`.
 */
import { bareCommand, commandsIn } from "./command_line.ts";
import { isRepeatable } from "./commands.ts";

export interface FinishedRun {
  /** Of the message with the result. */
  index: number;
  /** As typed, without a pipe that truncates its output. */
  name: string;
  failed: boolean;
}

/** `lastCommit`: the index of the message with the last commit. */
export function stillFailing<T extends FinishedRun>(runs: readonly T[], lastCommit: number): T[] {
  const passed = runs.filter(({ failed }) => !failed).flatMap(({ name, index }) => stepsOf(name, index));
  return runs.filter(
    ({ failed, name, index }) =>
      failed &&
      index > lastCommit &&
      isRepeatable(name) &&
      !stepsOf(name, index).every((step) => passed.some((later) => later.index > index && covers(later, step))),
  );
}

interface Step {
  index: number;
  /** The program and its subcommand: `go test`, `npm run lint`. */
  what: string;
  /** The files and folders it worked on. */
  targets: ReadonlySet<string>;
}

const MOVES = /^(?:cd|pushd|popd|export|source|set|echo|printf|mkdir|rm|cp|mv|touch)$/;
const RUNNERS = /^(?:run|exec|tool|x|dlx)$/;
const EVERYTHING: readonly string[] = [".", "./...", "./"];

function stepsOf(line: string, index: number): Step[] {
  return commandsIn(line).flatMap(({ text }) => {
    const [program = "", ...rest] = bareCommand(text).split(" ");
    if (program === "" || MOVES.test(program)) return [];
    const isWord = (word: string | undefined): boolean => word !== undefined && /^[a-z][\w:.-]*$/i.test(word);
    const words = isWord(rest[0]) && !/[.]/.test(rest[0] ?? "") ? (RUNNERS.test(rest[0] ?? "") ? 2 : 1) : 0;
    const what = [program, ...rest.slice(0, words)].join(" ");
    return [{ index, what, targets: new Set(rest.slice(words).filter((word) => !word.startsWith("-"))) }];
  });
}

function covers(later: Step, step: Step): boolean {
  if (later.what !== step.what) return false;
  if (later.targets.size === 0 || EVERYTHING.some((all) => later.targets.has(all))) return true;
  return step.targets.size > 0 && [...step.targets].every((target) => later.targets.has(target));
}
