/** Cuts a list to a budget: its leading items, as many as fit. */

export function leadingThatFit<T>(
  items: readonly T[],
  room: number,
  costOf: (item: T) => number,
): { items: T[]; used: number } {
  let used = 0;
  for (const [index, item] of items.entries()) {
    const cost = costOf(item);
    if (used + cost > room) return { items: items.slice(0, index), used };
    used += cost;
  }
  return { items: [...items], used };
}
