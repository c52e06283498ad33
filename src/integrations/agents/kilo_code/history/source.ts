/** Kilo Code: OpenCode's sessions in a folder of its own. */
import { opencodeStyleSource } from "../../opencode/history/source.ts";
import { kiloFolders } from "../integration.ts";

export const kiloCodeHistory = opencodeStyleSource({
  id: "kilo_code",
  data: kiloFolders,
  database: "kilo.db",
  databases: /^kilo.*\.db$/,
  variable: "KILO_DB",
});
