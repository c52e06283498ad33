/** The subject of a commit in plain words, as a prompt: `fix(cli): a thing` becomes `cli a thing`. */
export function plainSubject(subject: string): string {
  const [, scope = "", rest = subject] = /^\w+(?:\(([^)]*)\))?!?:\s*(.*)$/.exec(subject) ?? [];
  return `${scope.replace(/[^\p{L}\p{N}]+/gu, " ")} ${rest}`.trim();
}
