/** The agents whose hooks dex answers. */

import { claude } from "./claude_code/hooks.ts";
import { codex } from "./codex/hooks.ts";
import { cursor } from "./cursor/hooks.ts";
import { gemini } from "./gemini/hooks.ts";
import type { Host } from "./hooks/hook_host.ts";
import { opencode } from "./opencode/hooks.ts";

export const HOSTS: readonly Host[] = [claude, codex, gemini, cursor, opencode];
