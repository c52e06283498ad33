/** Cline, the editor extension and its command line, and the forks that keep Cline's files. */

import type { Integration } from "../integration.ts";
import { clineFolders } from "./history/places.ts";

export const cline: Integration = {
  id: "cline",
  name: "Cline",
  aliases: [],
  handoff: { filePrefix: "@/" },
  folders: (env) => clineFolders(env),
  history: async () => (await import("./history/source.ts")).clineHistory,
  settings: async () => (await import("./settings.ts")).clineSettings,
};
