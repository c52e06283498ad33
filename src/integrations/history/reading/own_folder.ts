/** dex's own sessions (its ask loop, its batches) are not history. */
export function isOwnFolder(project: string | undefined): boolean {
  return project !== undefined && /[\\/]\.dex(?:[\\/]|$)/.test(project);
}
