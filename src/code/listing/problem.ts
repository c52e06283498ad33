/** A folder or file of a project that could not be read, and why. */
export interface Problem {
  path: string;
  reason: string;
}
