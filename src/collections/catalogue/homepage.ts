/** The pages that a package's homepage lists in its llms.txt. They document the latest version only. */
import { DexError } from "../../kernel/errors.ts";
import { asString, type JsonObject } from "../../kernel/json.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import type { GatherContext } from "../gather/gather.ts";
import { getWeb } from "../net/fetch.ts";

/** Hosts of repositories and registries, whose llms.txt is not about the package. */
const HOSTING = /(?:^|\.)(?:github|gitlab|bitbucket|npmjs|jsr|unpkg|jsdelivr)\.(?:com|org|io)$/i;
const MAX_LISTING_BYTES = 4 << 20;
const FOLDER = "homepage";

export function homepageOf(entry: JsonObject): string | undefined {
  const stated = asString(entry.homepage);
  if (stated === undefined || !URL.canParse(stated)) return undefined;
  const url = new URL(stated);
  if (!/^https?:$/.test(url.protocol) || HOSTING.test(url.hostname) || url.password !== "") return undefined;
  url.hash = "";
  url.search = "";
  return url.href;
}

export async function giveHomepage(
  homepage: string,
  context: GatherContext,
  now: () => number,
): Promise<{ documents: number; tokens: number; note?: string }> {
  const url = new URL("/llms.txt", homepage).href;
  const answer = await getWeb(url, { ...context.limits, maxBytes: MAX_LISTING_BYTES });
  const type = answer.headers["content-type"] ?? "";
  if (answer.status !== 200 || /html/i.test(type)) {
    if (answer.status >= 500) throw new DexError("unreachable", `${url} answered with status ${answer.status}.`);
    return { documents: 0, tokens: 0, note: "it has no llms.txt" };
  }
  const { gatherSite } = await import("../gather/site.ts");
  const given = { documents: 0, tokens: 0 };
  const place = (path: string): string => `${FOLDER}/${path}`;
  await gatherSite(
    { kind: "site", url, exclude: [] },
    {
      ...context,
      state: undefined,
      sink: {
        ...context.sink,
        // Every page is fetched: the package's own files are not pages.
        known: () => undefined,
        knownPaths: () => [],
        file: async (file) => {
          given.documents += 1;
          given.tokens += estimateTokens(Buffer.from(file.bytes).toString("utf8"));
          await context.sink.file({ ...file, path: place(file.path) });
        },
        failed: (path, error) => context.sink.failed(place(path), error),
        skipped: (path, reason) => context.sink.skipped(place(path), reason),
      },
    },
    now,
  );
  return given;
}
