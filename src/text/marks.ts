/**
 * Marks that stand in the index beside a message's words, so that `--tool` is part of the query itself. Made of
 * letters no word begins with, and of one run, so that the analyser leaves them whole.
 */
export function toolMark(name: string): string {
  return `zqxtool0${name.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}
