/** ZCode: OpenCode's sessions in a folder of its own. */
import { opencodeStyleSource } from "../../opencode/history/source.ts";
import { zcodeFolders } from "../integration.ts";

export const zcodeHistory = opencodeStyleSource({
  id: "zcode",
  data: zcodeFolders,
  database: "db.sqlite",
  databases: /^db\.sqlite$/,
});
