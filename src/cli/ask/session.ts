/**
 * `dex ask -i`: a session of questions, each answered with the earlier turns as context. Answers are streamed; Ctrl+C
 * stops an answer, and pressed twice at the prompt it ends the session.
 */
import { createInterface, type Interface } from "node:readline";
import type { AskAnswer } from "../../ask/answer.ts";
import { askIn } from "../../ask/sources.ts";
import { Dex } from "../../dex.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import type { ChatMessage } from "../../llm/model.ts";
import type { ask } from "../../operations/ask/ask.ts";
import { askTools } from "../../operations/ask/tools/registry.ts";
import { answerText, box, lastLines, nearestLines, sourceLines, stepText, wrapped } from "../../rendering/ask.ts";
import { paint, type Terminal, terminalOf } from "../../rendering/terminal/terminal.ts";
import { wrapLines } from "../../rendering/terminal/width.ts";
import { cleanText } from "../../text/clean.ts";
import { hasModel } from "./has_model.ts";
import { readHistory, writeHistory } from "./history.ts";
import { VerdictFilter, WordWrap } from "./stream.ts";

type Input = Parameters<typeof ask.run>[1];

const COMMANDS: Readonly<Record<string, string>> = {
  "/help": "Show these commands",
  "/collections": "List the collections that are searched",
  "/use-case": "Show or change the use case",
  "/clear": "Forget the questions and answers so far",
  "/verbose": "Show or hide each step as it happens",
  "/quit": "End the session; /exit too",
};

const LEAVES = /^\/(quit|exit)$/;

export async function holdSession(input: Input, verbose: boolean): Promise<number> {
  const dex = await Dex.open();
  try {
    return await new Session(dex, input, verbose).run();
  } finally {
    dex.close();
  }
}

class Session {
  readonly #dex: Dex;
  readonly #input: Input;
  readonly #terminal: Terminal;
  readonly #lines: Interface;
  readonly #turns: ChatMessage[] = [];
  #useCase: string;
  #verbose: boolean;
  /** Cancels the current answer. */
  #answering: AbortController | undefined;
  #leaving = false;
  #waiting: ((line: string | undefined) => void) | undefined;
  /** Lines that were pasted or typed before a question was asked. */
  readonly #ahead: string[] = [];
  /** The input has ended. */
  #closed = false;

  constructor(dex: Dex, input: Input, verbose: boolean) {
    this.#dex = dex;
    this.#input = input;
    this.#useCase = input.use_case;
    this.#verbose = verbose;
    this.#terminal = terminalOf(process.stdout, process.env, Date.now());
    this.#lines = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      history: readHistory(dex.paths.askHistory),
      historySize: 200,
      removeHistoryDuplicates: true,
      completer: (line: string): [string[], string] => [
        line.startsWith("/") ? Object.keys(COMMANDS).filter((name) => name.startsWith(line)) : [],
        line,
      ],
    });
    this.#lines.on("history", (history) => writeHistory(dex.paths.askHistory, history));
    this.#lines.on("SIGINT", () => this.#interrupted());
    this.#lines.on("close", () => {
      this.#closed = true;
      this.#answered(undefined);
    });
    this.#lines.on("line", (line) => this.#answered(line));
  }

  async run(): Promise<number> {
    this.#say(box(this.#terminal, ["dex ask", "Type your questions. /help shows commands, Ctrl+C stops an answer."]));
    this.#say("");
    if (this.#useCase !== "") this.#say(`Use case: ${this.#useCase}`);
    else if (hasModel(this.#dex, this.#input)) await this.#askUseCase();
    let line = this.#input.query === "" ? await this.#prompt("You: ") : this.#input.query;
    while (line !== undefined) {
      const typed = line.trim();
      if (LEAVES.test(typed)) break;
      if (typed.startsWith("/")) await this.#command(typed);
      else if (typed !== "") await this.#answer(typed);
      line = await this.#prompt("You: ");
    }
    this.#lines.close();
    return 0;
  }

  /** Undefined at the end of the input. */
  async #prompt(text: string): Promise<string | undefined> {
    const ahead = this.#ahead.shift();
    if (ahead !== undefined) this.#say(`${text}${cleanText(ahead)}`);
    if (ahead !== undefined || this.#closed) return ahead;
    this.#lines.setPrompt(text);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#lines.prompt();
    });
  }

  #answered(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (line !== undefined) this.#leaving = false;
    if (waiting) waiting(line);
    else if (line !== undefined) this.#ahead.push(line);
  }

  #interrupted(): void {
    this.#ahead.length = 0;
    if (this.#answering) {
      this.#answering.abort();
      return;
    }
    if (this.#lines.line === "" && this.#leaving) {
      this.#lines.close();
      return;
    }
    this.#leaving = true;
    process.stdout.write("\n(Ctrl+C again, or /quit, ends the session)\n");
    this.#lines.write(null, { ctrl: true, name: "u" });
    this.#lines.prompt();
  }

  async #command(typed: string): Promise<void> {
    const [name = "", ...words] = typed.split(/\s+/);
    if (name === "/help") {
      for (const [command, text] of Object.entries(COMMANDS)) this.#say(`  ${command.padEnd(14)}${text}`);
    } else if (name === "/clear") {
      this.#turns.length = 0;
      this.#say("The earlier questions and answers are forgotten.");
    } else if (name === "/verbose") {
      this.#verbose = !this.#verbose;
      this.#say(`Steps are ${this.#verbose ? "shown" : "not shown"}.`);
    } else if (name === "/collections") {
      await this.#collections();
    } else if (name === "/use-case") {
      await this.#changeUseCase(words.join(" "));
    } else {
      this.#say(`There is no command ${cleanText(name)}; /help shows them.`);
    }
  }

  async #askUseCase(): Promise<void> {
    let typed = (await this.#prompt("Use case (Enter for none): "))?.trim() ?? "";
    while (typed.startsWith("/") && !LEAVES.test(typed)) {
      await this.#command(typed);
      typed = (await this.#prompt("Use case (Enter for none): "))?.trim() ?? "";
    }
    if (LEAVES.test(typed)) this.#ahead.unshift(typed);
    else this.#useCase = typed;
  }

  async #changeUseCase(given: string): Promise<void> {
    if (given === "") this.#say(`Current: ${this.#useCase || "none"}`);
    const text = given || (await this.#prompt("New use case (Enter keeps it): ")) || "";
    if (text.trim() !== "") this.#useCase = text.trim();
  }

  async #collections(): Promise<void> {
    const { collections } = await this.#dex.library();
    const { collections: wanted, no_global: noGlobal } = this.#input;
    const active = collections.filter(
      ({ name, origin }) => (wanted.length === 0 || wanted.includes(name)) && (!noGlobal || origin === "project"),
    );
    const names = active.map(({ name }) => name).join(", ");
    this.#say(
      active.length === 0 ? "There are no collections; `dex docs add` adds one." : `Active collections: ${names}`,
    );
  }

  async #answer(query: string): Promise<void> {
    const stop = new AbortController();
    this.#answering = stop;
    let streamed = false;
    const verdict = new VerdictFilter();
    const words = new WordWrap(this.#terminal.width);
    const begun = (): void => {
      if (!streamed) process.stdout.write("\n");
      streamed = true;
    };
    try {
      const { in: where, collections, no_global: noGlobal, no_model: noModel, max_tokens: maxTokens } = this.#input;
      const { model, temperature } = this.#input;
      const answer = await askIn(
        this.#dex,
        { query, useCase: this.#useCase },
        {
          in: where,
          collections,
          noGlobal,
          noModel,
          maxTokens,
          tools: askTools,
          model,
          temperature,
          turns: this.#turns,
          signal: stop.signal,
          onStep: (step) => {
            if (this.#verbose) this.#say(`${streamed ? "\n" : ""}${paint(this.#terminal, "dim", stepText(step))}`);
          },
          onText: (text) => {
            begun();
            process.stdout.write(words.shown(cleanText(verdict.shown(text))));
          },
        },
      );
      process.stdout.write(words.rest());
      const isShown = streamed && answer.engine === "model";
      // The model began to answer, and dex quotes instead.
      if (streamed && !isShown) this.#say("");
      this.#show(answer, isShown);
      this.#remember(query, answer);
    } catch (error) {
      if (stop.signal.aborted) this.#say("\n(stopped)");
      else if (error instanceof DexError) this.#say(`\n${error.message}${error.hint ? `\n${error.hint}` : ""}`);
      else this.#say(`\nunexpected failure: ${errorMessage(error)}`);
    } finally {
      this.#answering = undefined;
    }
  }

  #show(answer: AskAnswer, streamed: boolean): void {
    if (!streamed) this.#say(`\n${wrapped(cleanText(answerText(answer)), this.#terminal.width)}`);
    else this.#say("");
    this.#say("");
    const lines = [
      ...sourceLines(answer, this.#terminal),
      ...(answer.nearest ? ["Nearest sections:"] : []),
      ...nearestLines(answer),
      ...lastLines(answer, this.#terminal),
    ];
    for (const line of lines) this.#say(wrapLines(line, this.#terminal.width));
    this.#say("");
  }

  /** Later questions may refer back, so the session keeps the answer, but not the passages. */
  #remember(query: string, { answer }: AskAnswer): void {
    this.#turns.push({ role: "user", content: `Question: ${query}` }, { role: "assistant", content: answer });
  }

  #say(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}
