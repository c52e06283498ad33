/** All sources, in the order they are tried and shown. Adding an agent is one file and one line here. */
import { aider } from "./aider/history/source.ts";
import { claudeCode } from "./claude_code/history/source.ts";
import { cline } from "./cline/history/source.ts";
import { codex } from "./codex/history/source.ts";
import { copilot } from "./copilot/history/source.ts";
import { cursor } from "./cursor/history/source.ts";
import { factoryDroid } from "./factory_droid/history/source.ts";
import { gemini } from "./gemini/history/source.ts";
import type { Source } from "./history/source.ts";
import { opencode } from "./opencode/history/source.ts";
import { pi } from "./pi/history/source.ts";
import { specstory } from "./specstory/history/source.ts";

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
