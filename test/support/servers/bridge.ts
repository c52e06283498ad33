/** Small servers between a picky client and `dex serve`. Both are on loopback, on a free port. */
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { HttpServer, Reply, StdioClient } from "./mcp.ts";

export interface Bridge {
  url: string;
  close(): void;
}

/** Passes everything on unchanged, and adds the token, for clients that cannot send one. */
export function withToken(server: HttpServer): Promise<Bridge> {
  const { hostname, port } = new URL(server.url);
  return listening(
    createServer((incoming, outgoing) => {
      const headers = { ...incoming.headers, authorization: `Bearer ${server.token}` };
      const { method, url } = incoming;
      const passed = request({ hostname, port, path: url, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      incoming.pipe(passed);
    }),
  );
}

/** Gives a server over stdio an address, for clients that only know HTTP. */
export function overStdio(client: StdioClient): Promise<Bridge> {
  return listening(
    createServer(async (incoming, outgoing) => {
      const reply = incoming.method === "POST" ? await passOn(client, incoming) : undefined;
      if (incoming.method !== "POST") outgoing.writeHead(405).end();
      else if (reply === undefined) outgoing.writeHead(202).end();
      else outgoing.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(reply));
    }),
  );
}

async function passOn(client: StdioClient, incoming: IncomingMessage): Promise<Reply | undefined> {
  const message = JSON.parse(await text(incoming)) as { id?: number };
  const reply = message.id === undefined ? undefined : client.reply(message.id);
  client.send(message);
  return reply;
}

function listening(server: Server): Promise<Bridge> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const close = (): void => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${port}/mcp`, close });
    });
  });
}
