/**
 * Programs and servers that a test file started. Those still running after its tests are ended, so a failed assertion
 * between a start and its end does not keep the file's process waiting.
 */
import type { ChildProcess } from "node:child_process";
import type { Server } from "node:net";
import { after } from "node:test";

const children = new Set<ChildProcess>();
const servers = new Set<Server>();

// Outside the test runner (`npm run soak`) each caller ends what it starts.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(endRunning);

/** A started program, which ends at the latest with the tests of this file. */
export function running<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** A listening server, which is closed at the latest with the tests of this file. */
export function serving<Listening extends Server>(server: Listening): Listening {
  servers.add(server);
  server.once("close", () => servers.delete(server));
  return server;
}

function endRunning(): void {
  for (const child of children) child.kill("SIGKILL");
  for (const server of servers) {
    if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
    server.close();
  }
}
