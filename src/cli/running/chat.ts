/** `dex chat` and `dex chat resume` at the terminal. */
import { realpathSync } from "node:fs";
import { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { cleanText, jsonText } from "../../text/clean.ts";

export interface ChatInput {
  query: readonly string[];
  /** The chat to continue; empty: the latest. */
  resume?: string;
  model?: string | undefined;
  json: boolean;
}

export async function holdChatAtTerminal({ query: words, resume, model, json }: ChatInput): Promise<number> {
  const query = words.length === 0 ? undefined : words.join(" ");
  const piped = !process.stdin.isTTY;
  if (query === undefined && !piped && (json || !process.stdout.isTTY)) {
    throw new DexError("no_terminal", "A chat without a question needs a terminal.", {
      hint: 'Give the question: `dex chat "…"`.',
    });
  }
  const dex = await Dex.open();
  try {
    const { holdChat } = await import("../../chat/chat.ts");
    const notice = (text: string): void => void process.stderr.write(cleanText(`dex: ${text}\n`));
    const request = { query, resume, piped, model, quiet: json, self: self(), notice };
    const { chat, answer, status } = await holdChat(dex, request);
    if (json) process.stdout.write(`${jsonText({ chat, answer })}\n`);
    else if (chat.session !== undefined) notice(`go on with \`dex chat resume ${chat.id}\``);
    return status;
  } finally {
    dex.close();
  }
}

/** How this very dex is started again. */
function self(): string[] {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}
