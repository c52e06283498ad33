/**
 * The numbers of conversations in a joined index: those of the home keep theirs, and those of the team follow after a
 * gap. The gap leaves room for new conversations of the home, so that the team's numbers seldom change and stay dense.
 */
const MIN_FIRST_SHARED = 1024;

/** The number that is added to the numbers of shared conversations. */
export function shiftAbove(largest: number): number {
  let shift = MIN_FIRST_SHARED;
  while (shift <= largest) shift *= 2;
  return shift;
}
