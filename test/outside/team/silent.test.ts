/** A team's server that accepts connections and says nothing: commands answer from this home, and do not wait again. */
import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { TeamHome } from "../../support/team/team.ts";

test("a server that stays silent is not asked again for a while, but a new address is", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  const { port } = silent.address() as AddressInfo;
  const home = new TeamHome();
  const team = join(home.dexHome, "team");
  try {
    home.say("one", [{ user: "why do notes vanish?" }, { agent: "the cache is never flushed" }]);
    home.ok("sync");
    mkdirSync(team, { recursive: true, mode: 0o700 });
    writeFileSync(join(team, "access.json"), JSON.stringify({ url: `postgres://ada:x@127.0.0.1:${port}/none` }));
    const connectionsAfterSearch = async (): Promise<number> => {
      const { status, stdout, stderr } = await home.runBeside("search", "vanish", "--no-sync");
      assert.equal(status, 0, stderr);
      assert.match(stdout, /why do notes vanish/);
      assert.match(stderr, /cannot be reached.*conversations of this home/);
      return sockets.size;
    };
    assert.equal(await connectionsAfterSearch(), 1);
    assert.equal(await connectionsAfterSearch(), 1);
    // As if the address had been written after the silence.
    utimesSync(join(team, "silent"), 1, 1);
    assert.equal(await connectionsAfterSearch(), 2);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
