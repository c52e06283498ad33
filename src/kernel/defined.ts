/**
 * A copy without undefined fields: when objects are merged, an absent field keeps the earlier value. Fields are not
 * deleted, because V8 makes a slow table of an object that loses one.
 */
export function defined<T extends object>(value: T): T {
  const copy = {} as T;
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined) continue;
    if (key !== "__proto__") copy[key] = value[key];
    else Object.defineProperty(copy, key, { value: value[key], enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
