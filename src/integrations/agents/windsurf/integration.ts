/** Windsurf, now Devin Desktop. */
import { join } from "node:path";
import type { Integration } from "../../integration.ts";

export const windsurf: Integration = {
  id: "windsurf",
  name: "Windsurf",
  aliases: ["cascade", "devin_desktop"],
  folders: ({ home }) => [windsurfTranscripts(home)],
  history: async () => (await import("./history/source.ts")).windsurfHistory,
  settings: async () => (await import("./settings.ts")).windsurfSettings,
};

/** Written only if the user turned on Windsurf's hook `post_cascade_response_with_transcript`. */
export function windsurfTranscripts(home: string): string {
  return join(home, ".windsurf", "transcripts");
}
