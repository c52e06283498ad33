/** `dex serve` over stdin and stdout, until the client closes stdin. */
import type { LibraryScope } from "../collections/library.ts";
import { endSignal, exitSoon, surviveStrayErrors } from "../serving/lifetime.ts";
import { type Offer, offerOf } from "./offer.ts";
import { type ServeInput, type ServeOptions, serveOptions } from "./options.ts";
import { knownDefinitions } from "./tools/definitions.ts";
import { guidanceFor } from "./tools/important.ts";
import { type SaveCode, serveStdio } from "./transport/stdio.ts";

/** Returns the exit status. */
export async function serve(input: ServeInput, save?: SaveCode): Promise<number> {
  const options = serveOptions(input);
  const { scope, sets, structured } = options;
  if (scope.collections) await checkScope(scope);
  const ended = endSignal();
  surviveStrayErrors();
  if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/guide/mcp.md\n");
  const setup = { vars: { ...process.env }, scope, sets: [...sets], structured };
  await serveStdio({ setup, offer: offerWith(options), save }, ended);
  exitSoon();
  return 0;
}

export function offerWith({ sets, structured }: Pick<ServeOptions, "sets" | "structured">): Offer {
  return offerOf(sets, guidanceFor(sets).greeting, knownDefinitions(sets, structured));
}

/** Fails at startup on an unknown collection, with the nearest name. */
export async function checkScope(scope: LibraryScope): Promise<void> {
  const [{ Dex }, { readableCollections }] = await Promise.all([
    import("../dex.ts"),
    import("../collections/library.ts"),
  ]);
  const dex = await Dex.open({ scope: { global: scope.global } });
  try {
    readableCollections(await dex.collections(), scope);
  } finally {
    dex.close();
  }
}
