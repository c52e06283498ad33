/** The dialogs of the shell. They are loaded after the first paint, which does not need them. */
import { Denied } from "./denied.tsx";
import { KeySheet } from "./key_sheet.tsx";

export { Denied, KeySheet };
