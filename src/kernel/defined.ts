/** A copy without undefined fields: when objects are merged, an absent field keeps the earlier value. */
export function defined<T extends object>(value: T): T {
  const copy = { ...value };
  for (const key in copy) if (copy[key] === undefined) delete copy[key];
  return copy;
}
