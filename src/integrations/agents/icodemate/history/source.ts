/** ICodeMate: OpenCode's sessions in a folder of its own. */
import { opencodeStyleSource } from "../../opencode/history/source.ts";
import { icodemateFolders } from "../integration.ts";

export const icodemateHistory = opencodeStyleSource({
  id: "icodemate",
  data: icodemateFolders,
  database: "icodemate.db",
  databases: /\.db$/,
});
