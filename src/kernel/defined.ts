/** A copy without the fields that are undefined: an absent field keeps its earlier value, and costs no archive line a byte. */
export function defined<T extends object>(value: T): T {
  const copy = { ...value };
  for (const key in copy) if (copy[key] === undefined) delete copy[key];
  return copy;
}
