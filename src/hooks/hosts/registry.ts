/** The agents whose hooks dex answers. */
import type { Host } from "../host.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const HOSTS: readonly Host[] = [claude, codex, gemini, cursor, opencode];
