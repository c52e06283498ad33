/** MiMo Code: OpenCode's sessions in a folder of its own. */
import { opencodeStyleSource } from "../../opencode/history/source.ts";
import { mimoFolders } from "../integration.ts";

export const mimoCodeHistory = opencodeStyleSource({
  id: "mimo_code",
  data: mimoFolders,
  database: "mimocode.db",
  databases: /^mimocode.*\.db$/,
  variable: "MIMOCODE_DB",
});
