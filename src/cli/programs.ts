/**
 * Commands that are not one question and one answer: they run until they are ended, or talk with the person at the
 * terminal. Each is loaded only when it is used.
 */
export interface Program {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints: the call in the first line, without `dex`, then its flags. */
  usage: string;
  /** Runs with the words behind the command's name and returns the exit status. */
  load(): Promise<(argv: readonly string[]) => Promise<number>>;
}

export const PROGRAMS: Readonly<Record<string, Program>> = {};
