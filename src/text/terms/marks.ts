/**
 * Marks that are indexed with a message's words, so that `--tool` is part of the query itself. A mark is one run of
 * letters that starts like no word, so the analyser keeps it whole.
 */
export function toolMark(name: string): string {
  return `zqxtool0${name.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}
