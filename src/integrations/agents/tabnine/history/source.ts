/** Tabnine CLI: Gemini CLI's sessions in a folder of its own. */
import { geminiStyleSource } from "../../gemini/history/source.ts";
import { tabnineFolder } from "../integration.ts";

export const tabnineHistory = geminiStyleSource("tabnine", tabnineFolder);
