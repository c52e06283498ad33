/** Finds the member of a table by a name from outside. `table[name]` also finds the members of every object: `constructor`. */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
