/** The runner's own report, with the skipped tests and their reasons before its closing counts. */
import { Readable } from "node:stream";
import type { EventData } from "node:test";
import { spec } from "node:test/reporters";

interface TestEvent {
  type: string;
  data: { name?: string; skip?: string | boolean; file?: string } & Partial<EventData.TestDiagnostic>;
}

/** The first of the closing lines. */
const COUNTS = /^tests \d+$/;

// biome-ignore lint/style/noDefaultExport: the runner loads a reporter by it
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string | Buffer> {
  const skipped: string[] = [];
  const watched = async function* (): AsyncGenerator<TestEvent> {
    for await (const event of source) {
      const { skip, name } = event.data;
      if (event.type === "test:pass" && skip !== undefined && skip !== false) {
        skipped.push(`  ${name}: ${typeof skip === "string" && skip !== "" ? skip : "no reason given"}`);
      }
      yield event;
    }
  };
  const lines = Readable.from(watched()).pipe(new spec());
  let listed = false;
  for await (const chunk of lines) {
    const text = String(chunk);
    if (!listed && text.split("\n").some((line) => COUNTS.test(line.replace(/^\W+/, "")))) {
      listed = true;
      yield skipped.length === 0 ? "No test was skipped.\n" : `Skipped, and why:\n${skipped.join("\n")}\n`;
    }
    yield chunk;
  }
}
