/** Mutated lines of every source, read by the built program: it ends well each time, in bounded memory. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { answerOf, TestHome } from "../support/program/dex.ts";
import { between, type Random } from "../support/random.ts";
import { run } from "./killing.ts";
import { flipped, mutate } from "./mutate.ts";
import { DOCUMENT_SEEDS, LINE_SEEDS, put, TEXT_SEEDS, writeDatabases } from "./seeds.ts";

export const LINES_A_BATCH = 20_000;
const LINES_A_FILE = 150;
/** No sync of such files may take more. */
export const MAX_MEMORY_BYTES = 900 << 20;
const POLL_MS = 20;

export interface LineFigures {
  lines: number;
  batches: number;
  conversations: number;
  malformed: number;
  /** Of any sync; undefined where the system does not say. */
  peakBytes: number | undefined;
}

export class LineSoak {
  readonly #random: Random;
  readonly figures: LineFigures = { lines: 0, batches: 0, conversations: 0, malformed: 0, peakBytes: undefined };
  /** Of the batch that failed, to be looked at. */
  place = "";

  constructor(random: Random) {
    this.#random = random;
  }

  /** Writes files, syncs them, truncates or extends half of them, syncs again, and checks the index. */
  async batch(lines: number): Promise<void> {
    const home = new TestHome();
    this.place = home.home;
    const written = this.#write(home.home, lines);
    await this.#sync(home);
    this.#grow(home.home, written);
    await this.#sync(home);
    const stats = await run(home, "stats", "--json", "--no-sync");
    assert.equal(stats.status, 0, stats.stderr);
    this.figures.conversations += (JSON.parse(stats.stdout) as { total_conversations: number }).total_conversations;
    const doctor = await run(home, "doctor", "--json");
    assert.equal(
      (JSON.parse(doctor.stdout) as { index: { integrity?: string } }).index.integrity ?? "ok",
      "ok",
      doctor.stdout,
    );
    const search = await run(home, "search", "question answer ledger", "--no-sync");
    assert.ok(search.status === 0 || search.status === 1, search.stderr);
    this.figures.batches += 1;
    rmSync(home.home, { recursive: true, force: true });
  }

  #write(home: string, lines: number): Map<string, Buffer> {
    const random = this.#random;
    const files = new Map<string, Buffer>();
    let made = 0;
    for (let n = 1; made < lines; n += 1) {
      for (const { path, records } of LINE_SEEDS) {
        const all: Buffer[] = [];
        while (all.length < LINES_A_FILE) for (const record of records(n)) all.push(...mutate(record, random));
        made += all.length;
        files.set(path(n), Buffer.concat(all.flatMap((line) => [line, NEWLINE])));
      }
      for (const { path, text } of TEXT_SEEDS) {
        const all = text
          .split("\n")
          .map((line) => (random() < 0.3 ? flipped(Buffer.from(line), random) : Buffer.from(line)));
        made += all.length;
        files.set(path(n), Buffer.concat(all.flatMap((line) => [line, NEWLINE])));
      }
      for (const { path, document } of DOCUMENT_SEEDS) {
        made += 1;
        files.set(path(n), mutate(document(n), random)[0] ?? NEWLINE);
      }
    }
    for (const [path, content] of files) put(home, path, content);
    const rows = Math.floor(lines / 50);
    writeDatabases(home, rows, (value) => mutate(value, random)[0]?.toString("utf8") ?? "");
    this.figures.lines += made + rows;
    return files;
  }

  #grow(home: string, files: ReadonlyMap<string, Buffer>): void {
    for (const [path, content] of files) {
      if (this.#random() < 0.5) continue;
      // Cut somewhere, or longer by some of its own lines: records that come again.
      const end = between(this.#random, 0, content.length);
      put(
        home,
        path,
        this.#random() < 0.3 ? content.subarray(0, end) : Buffer.concat([content, content.subarray(end)]),
      );
    }
  }

  async #sync(home: TestHome): Promise<void> {
    const child = home.open("sync", "--json");
    const watching = setInterval(() => this.#measure(child.pid), POLL_MS);
    const { status, stdout, stderr } = await answerOf(child);
    clearInterval(watching);
    assert.equal(status, 0, stderr.slice(-2000));
    const { failed, malformed } = JSON.parse(stdout) as {
      failed: { path: string; error: string }[];
      malformed: number;
    };
    assert.deepEqual(failed, [], "every file was read");
    this.figures.malformed += malformed;
    assert.ok((this.figures.peakBytes ?? 0) < MAX_MEMORY_BYTES, `peak memory of ${this.figures.peakBytes} bytes`);
  }

  #measure(pid: number | undefined): void {
    try {
      const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      if (peak !== undefined) this.figures.peakBytes = Math.max(this.figures.peakBytes ?? 0, Number(peak) * 1024);
    } catch {
      // Ended meanwhile, or a system without /proc.
    }
  }
}

const NEWLINE = Buffer.from("\n");
