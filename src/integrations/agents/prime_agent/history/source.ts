/** Prime Agent: pi's session files in a folder of its own. */
import { walkFiles } from "../../../history/reading/files.ts";
import { piStyleSource } from "../../pi/history/source.ts";
import { primeSessions } from "../integration.ts";

export const primeAgentHistory = piStyleSource({
  id: "prime_agent",
  places: (env) => [{ path: primeSessions(env), what: "sessions" }],
  files: (env) => walkFiles(primeSessions(env), 1, (name) => name.endsWith(".jsonl")),
});
