/** Agents made from another one, or that keep its format. */
import { join } from "node:path";
import {
  claudeLines,
  json,
  movedFrom,
  ms,
  OPENCODE_DATABASE,
  piEntries,
  putDatabase,
  putJson,
  putLines,
  type Writer,
} from "./forms.ts";

export const FAMILY_WRITERS: Readonly<Record<string, Writer>> = {
  claude_cowork(home, f) {
    const workspace = join(home, ".config/Claude/local-agent-mode-sessions/org/space");
    putJson(join(workspace, "local_1.json"), { cliSessionId: f.id, title: f.title, userSelectedFolders: [f.project] });
    putLines(join(workspace, "local_1/.claude/projects/-sessions-x", `${f.id}.jsonl`), claudeLines(f));
  },
  openclaude: (home, f) => putLines(join(home, ".openclaude/projects/-srv", `${f.id}.jsonl`), claudeLines(f)),
  qoder(home, f) {
    const folder = join(home, ".qoder/projects/srv/transcript");
    putLines(join(folder, `${f.id}.jsonl`), claudeLines(f));
    putJson(join(folder, `${f.id}-session.json`), { title: f.title, working_dir: f.project });
  },
  iflow: (home, f) => putLines(join(home, ".iflow/projects/-srv", `session-${f.id}.jsonl`), claudeLines(f)),
  letta(home, f) {
    const folder = join(home, ".letta/lc-local-backend/conversations", f.id);
    putJson(join(folder, "conversation.json"), { id: f.id, title: f.title, created_at: f.time });
    putLines(join(folder, "messages.jsonl"), piEntries(f));
  },
  prime_agent: (home, f) => putLines(join(home, ".prime/agent/sessions", `x_${f.id}.jsonl`), piEntries(f)),
  openclaw(home, f) {
    const entries = piEntries(f);
    putDatabase(join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite"), {
      session_windows: [
        { session_id: f.id, session_key: "k", created_at: ms(f), model: f.model, display_name: f.title },
      ],
      transcript_events: entries.map((entry, seq) => ({
        session_id: f.id,
        seq,
        event_json: json(entry),
        created_at: ms(f),
      })),
      session_transcript_active_events: entries.map((_, seq) => ({
        session_id: f.id,
        active_position: seq,
        event_seq: seq,
      })),
    });
  },
  kilo_code: movedFrom("opencode", OPENCODE_DATABASE, ".local/share/kilo/kilo.db"),
  mimo_code: movedFrom("opencode", OPENCODE_DATABASE, ".local/share/mimocode/mimocode.db"),
  icodemate: movedFrom("opencode", OPENCODE_DATABASE, ".local/share/icodemate/icodemate.db"),
  zcode: movedFrom("opencode", OPENCODE_DATABASE, ".zcode/cli/db/db.sqlite"),
  trae_cli: movedFrom("codex", ".codex/sessions", ".trae/cli/sessions"),
  tabnine: movedFrom("gemini", ".gemini/tmp", ".tabnine/agent/tmp"),
};
