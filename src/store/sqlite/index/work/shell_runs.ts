/** Shell commands that agents ran: written from the digests of messages, matched with their results when read. */
import type { StatementSync } from "node:sqlite";
import { SHELL_OUTCOMES, type ShellOutcome } from "../../../../conversations/activity/shell/shell_runs.ts";
import { SLOTS } from "../../../../ranking/segment.ts";
import type { MessageDigest } from "../../../index_writer.ts";
import type { ConversationFilter, ShellRun } from "../../../ports.ts";
import type { Prepare } from "../../connection.ts";
import { whereConversation } from "../rows.ts";

export function shellRunWriter(prepare: Prepare): (no: number, index: number, digest: MessageDigest) => void {
  const call = prepare("INSERT OR IGNORE INTO shell_calls (no, first, part, call, command) VALUES (?, ?, ?, ?, ?)");
  const result = prepare(
    "INSERT OR IGNORE INTO shell_results (no, call, first, part, outcome, exit_code) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return (no, index, { shell_calls, shell_results }) => {
    for (const each of shell_calls) call.run(no, index, each.part, each.call, each.command);
    for (const each of shell_results) {
      result.run(no, each.call, index, each.part, SHELL_OUTCOMES.indexOf(each.outcome), each.exit_code);
    }
  };
}

export function readShellRuns(
  prepare: Prepare,
  filter: ConversationFilter,
  containing: readonly string[],
  limit: number,
): ShellRun[] {
  const where = whereConversation(filter);
  const matching = `FROM shell_results r WHERE r.no = k.no AND r.call = k.call AND k.call <> 0 AND r.first >= k.first
    ORDER BY r.first, r.part LIMIT 1`;
  const rows = prepare(
    `SELECT k.no, k.first, k.part, k.call, k.command, m.time,
       (SELECT r.outcome ${matching}) outcome, (SELECT r.exit_code ${matching}) exit_code
     FROM conversations c JOIN shell_calls k ON k.no = c.no LEFT JOIN messages m ON m.id = k.no * ${SLOTS} + k.first
     WHERE ${where.sql} AND (${containing.map(() => "instr(lower(k.command), ?) > 0").join(" OR ")})
     ORDER BY c.updated DESC, c.id, k.first, k.part LIMIT ?`,
  ).all(...where.values, ...containing.map((each) => each.toLowerCase()), limit);
  const inOrder = resultsInOrder(prepare);
  return rows.map((row) => {
    const no = Number(row.no);
    const index = Number(row.first);
    const result = row.call === 0 ? inOrder(no, index, Number(row.part)) : row;
    return {
      no,
      index,
      time: row.time === null ? null : Number(row.time),
      command: String(row.command),
      outcome: outcomeAt(result?.outcome),
      exit_code: typeof result?.exit_code === "number" ? result.exit_code : null,
    };
  });
}

/**
 * The result of a call without an id: among the results before the next message with calls, the one at the position
 * that the call has in its message.
 */
function resultsInOrder(
  prepare: Prepare,
): (no: number, first: number, part: number) => ReturnType<StatementSync["get"]> {
  const position = prepare("SELECT count(*) n FROM shell_calls WHERE no = ? AND first = ? AND part < ? AND call = 0");
  const next = prepare("SELECT min(first) first FROM shell_calls WHERE no = ? AND first > ? AND call = 0");
  const result = prepare(
    `SELECT outcome, exit_code FROM shell_results
     WHERE no = ?1 AND call = 0 AND (first > ?2 OR (first = ?2 AND part > ?3)) AND first <= ?4
     ORDER BY first, part LIMIT 1 OFFSET ?5`,
  );
  return (no, first, part) => {
    const before = Number(position.get(no, first, part)?.n ?? 0);
    const until = next.get(no, first)?.first;
    return result.get(no, first, part, until === null || until === undefined ? SLOTS : Number(until) - 1, before);
  };
}

function outcomeAt(position: unknown): ShellOutcome {
  return (typeof position === "number" ? SHELL_OUTCOMES[position] : undefined) ?? "unclear";
}
