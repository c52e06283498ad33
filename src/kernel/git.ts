/**
 * How git is started, wherever it is: a repository's own settings must not make a question start another program (a
 * signature check, a file watcher, an external diff), ask the network for objects that a partial clone lacks, or take a
 * lock. Pathspecs are literal: a path is that path, whatever characters it has.
 */
export const GIT_SAFELY: readonly string[] = [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotePath=false",
  "-c",
  "log.showSignature=false",
  "-c",
  "diff.external=",
  "-c",
  "protocol.allow=never",
];

/** A hook or another git may have set these for itself: the repository asked about is the one in the folder. */
const MISLEADING =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|NAMESPACE|COMMON_DIR|OBJECT_DIRECTORY|EXTERNAL_DIFF|TRACE.*)$/;

export function gitEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!MISLEADING.test(name)) env[name] = value;
  return { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", GIT_ASKPASS: "" };
}
