/**
 * Numbers of conversations in an index of two: those of the home keep theirs, and those of the team come after them. A
 * gap is left for new ones of the home, so that the numbers of the team change seldom, and stay dense all the same.
 */
const MIN_FIRST_SHARED = 1024;

/** The number that is added to the numbers of shared conversations. */
export function shiftAbove(largest: number): number {
  let shift = MIN_FIRST_SHARED;
  while (shift <= largest) shift *= 2;
  return shift;
}
