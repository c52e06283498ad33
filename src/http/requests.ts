/** A request to the threads of the API, and their answer. */

/** The same for every thread of a server. */
export interface ApiSetup {
  vars: NodeJS.ProcessEnv;
}

export type ApiRequest = { kind: "verb"; verb: string; input: unknown } | { kind: "openapi" };

export interface ApiAnswer {
  /** JSON, as `--json` prints it. */
  text: string;
  notice?: string | undefined;
}
