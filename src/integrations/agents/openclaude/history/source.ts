/** OpenClaude: Claude Code's transcripts in a folder of its own. */
import { claudeStyleSource } from "../../claude_code/history/source.ts";
import { openclaudeProjects } from "../integration.ts";

export const openclaudeHistory = claudeStyleSource("openclaude", (env) => [openclaudeProjects(env)]);
