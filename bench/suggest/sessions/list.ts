/** The real sessions of a home, with their first prompts, and the search among those that had ended. */
import { renderMessage } from "../../../src/conversations/render.ts";
import { loadMessages } from "../../../src/search/messages.ts";
import { parseQuery } from "../../../src/search/query/query.ts";
import { vectorsOf } from "../../../src/search/query/vector.ts";
import type { ConversationRow } from "../../../src/store/ports.ts";
import type { QualityHome } from "../../quality/home.ts";

export interface Session {
  row: ConversationRow;
  edited: string[];
}

/** A project with fewer earlier sessions tells nothing. */
export const WARM = 3;
const MAX_PROMPT_CHARS = 4000;

/** Best first, ended before: the index has later ones too, and they are skipped. */
export async function searchBefore(
  home: QualityHome,
  prompt: string,
  before: readonly Session[],
): Promise<{ no: number; score: number }[]> {
  const parsed = parseQuery(prompt);
  if (!parsed) return [];
  const allowed = new Set(before.map(({ row }) => row.no));
  const asked = { ...parsed, required: [], excluded: [], ...(await vectorsOf(parsed, home.dex, "hybrid")) };
  const latest = Math.max(...before.map(({ row }) => row.updated));
  const { hits } = home.dex.store.searchTexts(asked, { to: latest }, 400, 0);
  return hits
    .filter(({ no }) => allowed.has(no))
    .slice(0, 5)
    .map(({ no, score }) => ({ no, score }));
}

export function promptOf(home: QualityHome, row: ConversationRow): string {
  for (const { message } of loadMessages(home.dex, row)) {
    if (message.role !== "user") continue;
    const text = renderMessage(message, "user_only")?.trim() ?? "";
    if (text !== "") return text.slice(0, MAX_PROMPT_CHARS);
  }
  return "";
}

/** Sessions by project, ordered by their start. Clones of a project on several machines are one. */
export function projectsOf(home: QualityHome): Map<string, Session[]> {
  const found = new Map<string, Session[]>();
  for (const row of home.dex.store.list({}, 1_000_000, 0)) {
    const folders = (row.project ?? "").replaceAll("\\", "/").split("/").filter(Boolean);
    const folder = folders.findLast((name) => !/^(?:\.claude|worktrees|\.worktrees)$/.test(name)) ?? "";
    const name = folder.toLowerCase().replaceAll("-", "");
    const paths = home.dex.store.files(row.no).flatMap(({ path, how }) => (how === "edited" ? [path] : []));
    const edited = [...new Set(paths.flatMap((path) => inProject(path, folder)))];
    const list = found.get(name) ?? [];
    list.push({ row, edited });
    found.set(name, list);
  }
  for (const list of found.values()) list.sort((a, b) => a.row.created - b.row.created || a.row.no - b.row.no);
  return found;
}

function inProject(path: string, folder: string): string[] {
  const plain = path.replaceAll("\\", "/");
  const at = plain.indexOf(`/${folder}/`);
  if (at >= 0) return [plain.slice(at + folder.length + 2)];
  return plain.startsWith("/") || /^[A-Za-z]:/.test(plain) ? [] : [plain.replace(/^\.\//, "")];
}
