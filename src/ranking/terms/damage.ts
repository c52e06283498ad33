/** Errors for a block whose bytes are not those that were written: a flipped bit, a lost page. */
export class DamagedBlock extends Error {
  constructor(what: string) {
    super(`A block of the index is damaged: ${what}.`);
    this.name = "DamagedBlock";
  }
}

/** Every way in which a block of terms can be damaged. */
export const DAMAGE = {
  endlessNumber: "a number does not end",
  unknownDocument: "postings name a document that is not there",
  missingWeight: "a weight is missing",
  wrongChecksum: "its checksum does not match",
  tooManyTerms: "it names more terms than it can hold",
  termPastEnd: "a term runs past its end",
  tooManyDocuments: "a term has more documents than postings",
  postingsDoNotFill: "its postings do not fill it",
} as const;

/** In the order of the negative numbers that the loops of `wasm/loops.ts` return. */
const BY_NUMBER = Object.values(DAMAGE);

/** Returns the number that a loop returned, or throws if that number reports damage. */
export function undamaged(returned: number): number {
  if (returned < 0) throw new DamagedBlock(BY_NUMBER[-returned - 1] as string);
  return returned;
}
