/**
 * The loops of the static model (`src/embedding/static.ts`) over every word that is synced, in AssemblyScript: they find
 * the words of a text, cut them into pieces and add the rows of the pieces. `npm run loops` compiles this file.
 *
 * All names that end in `At` are addresses. JavaScript may lengthen the text while it answers. A damaged model gives wrong
 * vectors, but nothing outside of it is read.
 */
import { cutWord } from "./embedder/pieces";
import { distinct } from "./embedder/rows";
import { next, wordLength } from "./embedder/words";

export { placeIds, placePieces } from "./embedder/pieces";
export { addRows, findUnit, placeRows, placeSum, quantise } from "./embedder/rows";
export { decomposed, next, placeText, start } from "./embedder/words";

/** Of the last words that were cut. */
let wordsCut: u32 = 0;
let knownWords: u32 = 0;

export function wordsFound(): u32 {
  return wordsCut;
}

/** How many of the words the model knows: random letters split into meaningless pieces. */
export function wordsKnown(): u32 {
  return knownWords;
}

/** Cuts the next words, and writes the distinct ids of their pieces. Returns how many there are. */
export function cut(maxWords: u32, minPieceBytes: u32): u32 {
  wordsCut = 0;
  knownWords = 0;
  let ids: u32 = 0;
  while (wordsCut < maxWords && next() > 0) {
    const first = ids;
    ids = cutWord(ids);
    const pieces = ids - first;
    if (pieces == 1 || (pieces > 0 && wordLength >= minPieceBytes * pieces)) knownWords++;
    wordsCut++;
  }
  return distinct(ids);
}

/** The ids of the first pieces of a text, in order and as often as they occur. At most `maxIds`, and those of one word more. */
export function cutAll(maxIds: u32): u32 {
  let ids: u32 = 0;
  while (ids < maxIds && next() > 0) ids = cutWord(ids);
  return ids;
}
