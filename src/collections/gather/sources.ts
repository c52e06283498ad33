/** The remote sources by kind, each loaded when a collection needs it. */
import type { CollectionSource } from "../declaring/source.ts";
import type { GatherContext, Gathered } from "./gather.ts";

export async function gatherFrom(
  source: CollectionSource,
  context: GatherContext,
  now: () => number,
): Promise<Gathered> {
  switch (source.kind) {
    case "git":
      return (await import("./git.ts")).gatherGit(source, context, now);
    case "npm":
      return (await import("./npm.ts")).gatherNpm(source, context, now);
    case "package":
      return (await import("./package.ts")).gatherPackage(source, context, now);
    case "manifest":
      return (await import("./manifest.ts")).gatherManifest(source, context, now);
    case "site":
      return (await import("./site.ts")).gatherSite(source, context, now);
    case "folder":
      throw new Error("a folder is read where it lies");
  }
}
