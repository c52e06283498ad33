/**
 * `dex mcp agent`: a server with one tool. Where it looks, which collections it sees and which model it uses is decided
 * when it is started; a call can narrow the collections, and change nothing else.
 */
import { parseArgs } from "node:util";
import * as z from "zod";
import { ASK_IN, type AskIn } from "../ask/sources.ts";
import type { LibraryScope } from "../collections/library.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { ask, askFields } from "../operations/ask/ask.ts";
import { defineOperation, type Operation } from "../operations/operation.ts";
import { Desk } from "./desk.ts";
import { checkScope, endSignal, GRACE, surviveStrayErrors } from "./serve.ts";

const SUBJECTS: Readonly<Record<AskIn, string>> = {
  documents: "documentation",
  conversations: "earlier conversations with agents",
  code: "the code of this project",
  all: "documentation, code and earlier conversations",
};

const SYNC_BEFORE: Readonly<Record<AskIn, Operation["syncBefore"]>> = {
  documents: "documents",
  conversations: "conversations",
  // The code index is refreshed where it is read.
  code: "none",
  all: "all",
};

const instructions = (where: AskIn): string =>
  `ask_documents answers questions from ${SUBJECTS[where]}, with sources. Give the question and what the answer is for; the answer is all that comes back.`;

interface AgentOptions {
  scope: LibraryScope;
  model: string | undefined;
  noModel: boolean;
  where: AskIn;
}

export async function serveAgent(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  if (options.scope.collections) await checkScope(options.scope);
  const ended = endSignal();
  surviveStrayErrors();
  if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/ask.md\n");
  const desk = new Desk(async () => {
    const [{ toolsOf }, { Host }] = await Promise.all([import("./tools.ts"), import("../serving/host.ts")]);
    return toolsOf([askDocuments(options)], new Host(process.env, options.scope));
  });
  const { serveStdio } = await import("./stdio.ts");
  await serveStdio(desk, ended, instructions(options.where));
  await desk.close();
  setTimeout(() => process.exit(0), GRACE).unref();
  return 0;
}

/** The verb with everything but the question fixed. */
function askDocuments({ model, noModel, where }: AgentOptions): Operation {
  const { name, verb, output, readOnly, idempotent, isEmpty } = ask;
  return defineOperation({
    name,
    verb,
    summary: `Answer a question from ${SUBJECTS[where]} with an agent of its own. Returns only the answer, its sources and how sure it is`,
    positionals: ["query"],
    input: z.strictObject(askFields),
    output,
    readOnly,
    idempotent,
    syncBefore: SYNC_BEFORE[where],
    traced: true,
    waits: true,
    ...(isEmpty ? { isEmpty } : {}),
    run: (dex, input, context) =>
      ask.run(
        dex,
        ask.input.parse({ ...input, in: where, no_model: noModel, ...(model === undefined ? {} : { model }) }),
        context,
      ),
  });
}

function readOptions(argv: readonly string[]): AgentOptions {
  const { values, names } = readWords(argv);
  const collections = [...(values.collections ?? []), ...names];
  return {
    scope: {
      ...(collections.length > 0 ? { collections } : {}),
      ...(values["no-global"] ? { global: false } : {}),
    },
    model: values.model,
    noModel: values["no-model"] ?? false,
    where: whereOf(values.in ?? "documents"),
  };
}

function whereOf(typed: string): AskIn {
  const where = ASK_IN.find((each) => each === typed);
  if (where) return where;
  throw new DexError("bad_usage", `dex mcp agent --in cannot be "${typed.slice(0, 60)}".`, {
    hint: `It is one of ${ASK_IN.join(", ")}.`,
  });
}

/** Several names may follow: `-c one two`. */
function readWords(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        collections: { type: "string", short: "c", multiple: true },
        "no-global": { type: "boolean" },
        in: { type: "string" },
        model: { type: "string" },
        "no-model": { type: "boolean" },
      },
    });
    if (positionals.length > 0 && !values.collections) {
      throw new Error(`Unexpected argument '${positionals[0]}'`);
    }
    return { values, names: positionals };
  } catch (error) {
    throw new DexError("bad_usage", `dex mcp agent: ${errorMessage(error).split(". ")[0]}.`, {
      hint: "`dex mcp agent --help` shows how it is used.",
    });
  }
}
