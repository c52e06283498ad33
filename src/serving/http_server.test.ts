import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { limitedServer } from "./http_server.ts";

test("a client that stalls in its headers or its body is closed when its time is over", async () => {
  const server = limitedServer((request) => void request.resume(), { headersMs: 1000, requestMs: 1500 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stalled = [
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{",
  ];
  try {
    await Promise.all(
      stalled.map(async (text) => {
        const socket = connect(port, "127.0.0.1");
        let heard = "";
        socket.on("data", (chunk: Buffer) => {
          heard += chunk.toString();
        });
        socket.write(text);
        await once(socket, "close");
        assert.match(heard, /^HTTP\/1\.1 408/);
      }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
