/** A longer text is read in parts of about this many characters. */
export const MAX_PART_CHARS: number = 1 << 16;

/** The parts of a long text that can be read by themselves: each ends after a unit for which `ends` holds. */
export function* partsOf(
  length: number,
  unitAt: (at: number) => number,
  ends: (unit: number) => boolean,
): Generator<[from: number, to: number]> {
  let from = 0;
  for (let most = MAX_PART_CHARS; length - from > most; ) {
    let end = from + most;
    while (end > from && !ends(unitAt(end - 1))) end -= 1;
    if (end === from) most *= 2;
    else {
      yield [from, end];
      from = end;
      most = MAX_PART_CHARS;
    }
  }
  yield [from, length];
}
