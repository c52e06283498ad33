/** Where the program of a thread is: in the bundle beside the main program, in a checkout beside the pool's owner. */

/** @param owner the `import.meta.url` of the module that owns the pool */
export function threadProgram(owner: string, built: string): URL {
  return new URL(owner.endsWith(".ts") ? "./worker.ts" : `./${built}`, owner);
}
