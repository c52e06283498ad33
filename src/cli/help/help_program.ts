/** `dex help` as a program of its own: a file of the build that loads no other command. */
import { endQuietlyOnBrokenPipe } from "../terminal/standard_streams.ts";
import { showGeneralHelp } from "./general_help.ts";

/** Returns the exit status. */
export async function help(): Promise<number> {
  endQuietlyOnBrokenPipe();
  return showGeneralHelp();
}
