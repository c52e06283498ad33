/**
 * Newer syntax that the grammars do not read, changed to what they do read: `using` becomes `const`, and the variance of a
 * type parameter (`in`, `out`) becomes spaces. Every other character keeps its place. dex does this only for a file that the
 * grammar cannot read, because the same words are common in strings.
 */

/** At the start of a statement or of the head of a loop, before a name. */
const USING =
  /((?:^|[;{}(])\s{0,200})((?:await\s{1,100})?using)(?=\s{1,200}[\p{L}_$][\p{L}\p{N}_$]*\s{0,200}(?:=|:|of\s))/gmu;
/** Behind the bracket or comma before a type parameter, and perhaps behind `const`. */
const VARIANCE = /([<,]\s{0,200}(?:const\s{1,200})?)(in\s{1,200}out|in|out)(?=\s{1,200}[\p{L}_$])/gu;
/** `export type * from "x"`. */
const TYPES_OF_ALL = /^([ \t]{0,200}export[ \t]{1,200})(type)(?=\s{0,200}\*)/gm;

/** Undefined if the text has none of it. */
export function withoutNewerSyntax(text: string): string | undefined {
  const changed = text
    .replaceAll(USING, (_, before: string, found: string) => before + "const".padStart(found.length))
    .replaceAll(VARIANCE, (_, before: string, found: string) => before + blank(found))
    .replaceAll(TYPES_OF_ALL, (_, before: string, found: string) => before + blank(found));
  return changed === text ? undefined : changed;
}

/** Line breaks stay, so that every line keeps its number. */
function blank(found: string): string {
  return found.replaceAll(/\S/g, " ");
}
