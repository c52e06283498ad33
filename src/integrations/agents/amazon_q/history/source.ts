/** Amazon Q CLI: one conversation per folder, in a database. */
import { asList } from "../../../history/building/messages.ts";
import { databaseSource } from "../../../history/forms/database.ts";
import { databaseContainer } from "../../../history/reading/files.ts";
import type { Source } from "../../../history/source.ts";
import { conversationDatabase } from "../../kiro/history/database.ts";
import { amazonQDatabase } from "../integration.ts";

const ID = "amazon_q";

export const amazonQHistory: Source = databaseSource({
  id: ID,
  places: (env) => [{ path: amazonQDatabase(env), what: "conversations, one per folder" }],
  discover: (env) => asList(databaseContainer(ID, amazonQDatabase(env))),
  ...conversationDatabase,
});
