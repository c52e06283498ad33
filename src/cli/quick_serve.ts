/**
 * `dex serve` as agents start it, over stdio: the build makes one file of it that has no schema library, because an agent
 * waits for a server's tools. Any other options are read by the program `serve`.
 */
import { serve } from "../mcp/serve.ts";
import type { SaveCode } from "../mcp/transport/stdio.ts";
import { endQuietlyOnBrokenPipe } from "./terminal/standard_streams.ts";

/** `tools` as typed. Returns the exit status. */
export function quickServe(tools: string | undefined, save: SaveCode): Promise<number> {
  endQuietlyOnBrokenPipe();
  return serve({ tools, collections: [], no_global: false, structured: "lines" }, save);
}
