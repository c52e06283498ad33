/**
 * Caches that live as long as their owner, an opened `Dex` or a server: whoever needs one asks for it by the function that
 * makes it. A module that kept its cache itself would share it between two homes in one process, and never close it.
 */
export class OwnedCaches {
  readonly #caches = new Map<() => object, object>();

  /** The cache that `make` made for this owner; the first call makes it. */
  of<T extends object>(make: () => T): T {
    // The map holds for each function what this function returned.
    const known = this.#caches.get(make) as T | undefined;
    if (known) return known;
    const cache = make();
    this.#caches.set(make, cache);
    return cache;
  }

  /** Closes the caches that can be closed, and forgets all. */
  close(): void {
    const caches = [...this.#caches.values()];
    this.#caches.clear();
    for (const cache of caches) if ("close" in cache && typeof cache.close === "function") cache.close();
  }
}
