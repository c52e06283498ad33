/** `dex resume`: the command that continues a conversation in its own agent. */
import { statSync } from "node:fs";
import { relative, sep } from "node:path";
import * as z from "zod";
import { programCommand } from "../../config/own_program.ts";
import type { Dex } from "../../dex.ts";
import { resumeWords } from "../../integrations/handoff.ts";
import { HANDOFF_TARGETS, integrationById } from "../../integrations/registry.ts";
import { DexError } from "../../kernel/errors.ts";
import { findOnPath } from "../../kernel/programs.ts";
import { resolveConversation } from "../../search/filters/resolve.ts";
import { isTopLevel } from "../../search/results/describe.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { defineOperation } from "../operation.ts";

/** Bounds the walk from a subagent up to the conversation that started it. */
const MAX_PARENTS = 20;

export const resume = defineOperation({
  name: "dex_resume",
  verb: "resume",
  summary: "Continue a conversation in its own agent: prints the command, --run starts it",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().min(1).max(500).describe("The conversation's id or a unique prefix"),
    run: z.boolean().default(false).describe("Start the agent here, in the conversation's folder"),
  }),
  output: z.object({
    id: z.string(),
    source: z.string(),
    agent: z.string(),
    title: z.string(),
    /** The id that was given, when it names a subagent: its work continues in the conversation that started it. */
    subagent: z.string().optional(),
    command: z.array(z.string()),
    /** The folder to start the agent in; null when any folder works or it is unknown. */
    folder: z.string().nullable(),
    /** Whether the program and the folder exist. */
    ready: z.boolean(),
    exit_status: z.number().optional(),
  }),
  readOnly: false,
  idempotent: false,
  syncBefore: "conversations",
  web: true,
  run: async (dex, input, context) => {
    const named = resolveConversation(dex, input.id);
    const row = resumableOf(dex, named);
    const command = commandFor(dex, row);
    const agent = nameOf(row.source);
    const folder = row.project;
    const problem = resumeProblem(command, folder, agent, dex.vars);
    const answer = {
      id: row.id,
      source: row.source,
      agent,
      title: row.title,
      ...(row.id === named.id ? {} : { subagent: named.id }),
      command,
      folder,
      ready: problem === undefined,
    };
    if (!input.run) {
      if (problem) context.notice?.(problem.message);
      return answer;
    }
    if (problem) throw problem;
    if (!context.start) {
      throw new DexError("no_terminal", "--run needs a terminal to start the agent in.", {
        hint: `Run \`dex resume ${input.id}\` for the command.`,
      });
    }
    return { ...answer, exit_status: await context.start(command, folder ?? dex.cwd) };
  },
});

/**
 * The conversation that a person can continue. For a subagent, that is the conversation that started it, and for
 * an abandoned branch the one that it belongs to.
 */
function resumableOf(dex: Dex, named: ConversationRow): ConversationRow {
  let row = named;
  for (let depth = 0; depth < MAX_PARENTS && row.parent !== null; depth += 1) {
    if (isTopLevel(row)) break;
    const parent = dex.store.byPrefix(row.parent, row.source).find(({ id }) => id === row.parent);
    if (!parent) {
      throw new DexError(
        "no_parent",
        `${row.id} is a subagent or an abandoned branch of a conversation that is not indexed.`,
        {
          hint: handoffHint(named.id),
        },
      );
    }
    row = parent;
  }
  return row;
}

function commandFor(dex: Dex, row: ConversationRow): string[] {
  const origin = dex.store.storedMeta(row.no)?.origin;
  const chat = origin === undefined ? undefined : ownChat(dex.paths.chats, origin);
  if (chat !== undefined) return [...programCommand(dex.vars, process.platform), "chat", "resume", chat];
  const target = HANDOFF_TARGETS.find(({ id }) => id === row.source);
  const words = target && resumeWords(target, row.id, origin);
  if (words) return words;
  throw new DexError("no_resume", `${nameOf(row.source)} has no command to continue this conversation.`, {
    hint: handoffHint(row.id),
  });
}

/** The id of the `dex chat` that the conversation belongs to, if any. */
function ownChat(chats: string, origin: string): string | undefined {
  const inside = relative(chats, origin);
  return inside.startsWith("..") ? undefined : inside.split(sep)[0];
}

function handoffHint(id: string): string {
  return `\`dex handoff ${id} --to claude_code\` hands it to another agent.`;
}

function nameOf(source: string): string {
  return integrationById(source)?.name ?? source;
}

function resumeProblem(
  command: readonly string[],
  folder: string | null,
  agent: string,
  vars: NodeJS.ProcessEnv,
): DexError | undefined {
  const [program = ""] = command;
  if (folder !== null && !(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    return new DexError("no_folder", `The conversation's folder ${folder} does not exist.`, {
      hint: "Restore it, or run the command in the folder that replaced it.",
    });
  }
  if (program.includes("/") || program.includes("\\") || findOnPath([program, `${program}.exe`], vars))
    return undefined;
  return new DexError("no_program", `${agent} (\`${program}\`) is not installed, or not on your PATH.`, {
    hint: "Install it, or run the printed command on a machine that has it.",
  });
}
