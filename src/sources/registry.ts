/** All sources, in the order they are tried and shown. Adding an agent is one file and one line here. */
import { aider } from "./aider/aider.ts";
import { claudeCode } from "./claude_code/claude_code.ts";
import { cline } from "./cline/cline.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor/cursor.ts";
import { factoryDroid } from "./factory_droid.ts";
import { gemini } from "./gemini/gemini.ts";
import { opencode } from "./opencode/opencode.ts";
import { pi } from "./pi/pi.ts";
import type { Source } from "./source.ts";
import { specstory } from "./specstory/specstory.ts";

export const SOURCES: readonly Source[] = [
  claudeCode,
  codex,
  cursor,
  opencode,
  gemini,
  copilot,
  pi,
  cline,
  aider,
  factoryDroid,
  specstory,
];

export function sourceById(id: string): Source | undefined {
  return SOURCES.find((source) => source.id === id);
}
