/** `dex chat` and `dex chat resume`: starts or continues a chat from the command line. */
import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ChatRequest } from "../chat/chat.ts";
import { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { cleanText, jsonText } from "../text/clean.ts";

export async function startChat(argv: readonly string[]): Promise<number> {
  return runChat(argv, (words) => ({ query: words.length === 0 ? undefined : words.join(" ") }));
}

export async function resumeChat(argv: readonly string[]): Promise<number> {
  return runChat(argv, ([id = "", ...words]) => ({
    resume: id,
    query: words.length === 0 ? undefined : words.join(" "),
  }));
}

async function runChat(
  argv: readonly string[],
  meaning: (words: string[]) => Pick<ChatRequest, "query" | "resume">,
): Promise<number> {
  const { words, model, json } = readWords(argv);
  const { query, resume } = meaning(words);
  const piped = !process.stdin.isTTY;
  if (query === undefined && !piped && (json || !process.stdout.isTTY)) {
    throw new DexError("no_terminal", "A chat without a query needs a terminal.", {
      hint: 'Add the query: `dex chat "…"`.',
    });
  }
  const dex = await Dex.open();
  try {
    const { holdChat } = await import("../chat/chat.ts");
    const notice = (text: string): void => void process.stderr.write(cleanText(`dex: ${text}\n`));
    const request = { query, resume, piped, model, quiet: json, self: self(), notice };
    const { chat, answer, status } = await holdChat(dex, request);
    if (json) process.stdout.write(`${jsonText({ chat, answer })}\n`);
    else if (chat.session !== undefined) notice(`continue with \`dex chat resume ${chat.id}\``);
    return status;
  } finally {
    dex.close();
  }
}

function readWords(argv: readonly string[]): { words: string[]; model: string | undefined; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { model: { type: "string", short: "m" }, json: { type: "boolean", short: "j" } },
    });
    return { words: positionals, model: values.model, json: values.json ?? false };
  } catch (error) {
    throw new DexError("bad_input", `dex chat: ${errorMessage(error).split(". ")[0]}.`, {
      hint: "`dex chat --help` lists its flags.",
    });
  }
}

/** The command that starts this installation of dex again. */
function self(): string[] {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}
