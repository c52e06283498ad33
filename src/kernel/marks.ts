/**
 * Marks that stand in the full-text index beside a message's words, so that `--role` and `--tool` are part of the
 * query itself. Made of letters only, and of letters no word begins with.
 */
export function roleMark(role: string): string {
  return `zqxrole${role}`;
}

export function toolMark(name: string): string {
  return `zqxtool${name.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
}
