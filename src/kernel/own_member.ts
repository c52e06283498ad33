/** What a table has under a name from outside. `table[name]` also finds what every object has: `constructor`. */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
