/** The gateway's listener: TLS, or plain HTTP on this machine for a proxy in front. */
import { realpathSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";

/** For the handshake, and for the headers of a request. */
const HEADERS_MS = 10_000;
/** For 40 megabytes over a slow line. */
const REQUEST_MS = 300_000;
/** Longer than a statement may take. */
const SOCKET_MS = 120_000;
const KEEP_ALIVE_MS = 60_000;
const MAX_CONNECTIONS = 2048;
const MAX_FILE_BYTES = 1 << 20;
/** How often the files of the certificate are looked at: issuers replace them every few weeks. */
const RELOAD_MS = 60_000;

export interface ListenOptions {
  /** `host:port`. */
  listen: string;
  cert?: string | undefined;
  key?: string | undefined;
}

export interface Listening {
  origin: string;
  /** Waits for running requests, up to a time. */
  close(graceMs: number): Promise<void>;
}

export async function listen(options: ListenOptions, listener: RequestListener): Promise<Listening> {
  const { host, port } = placeOf(options.listen);
  const times = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 };
  const files = options.cert !== undefined && options.key !== undefined ? [options.cert, options.key] : undefined;
  if (!files && !isLoopback(`http://${urlHost(host)}`)) {
    throw new DexError("team_insecure", "Without --cert and --key the gateway listens only on this machine.", {
      hint: "Name the files of a certificate, or listen on 127.0.0.1 behind a proxy that has one.",
    });
  }
  const server = files
    ? createSecureServer({ ...times, handshakeTimeout: HEADERS_MS, ...readCertificate(files) }, listener)
    : createServer(times, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(SOCKET_MS);
  await listenOn(server, host, port);
  const reload = files && setInterval(() => renew(server as SecureServer, files), RELOAD_MS).unref();
  const { port: chosen } = server.address() as AddressInfo;
  return {
    origin: `${files ? "https" : "http"}://${urlHost(host)}:${chosen}`,
    close: async (graceMs) => {
      clearInterval(reload);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function placeOf(text: string): { host: string; port: number } {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (parts && port <= 65_535) return { host: parts[1] ?? parts[2] ?? "", port };
  throw new DexError("bad_value", `"${text}" is not a place to listen on.`, {
    hint: "It is a host and a port: 0.0.0.0:8443, [::]:8443 or 127.0.0.1:8080.",
  });
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function listenOn(server: Server | SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const why = systemCode(error) === "EADDRINUSE" ? "is in use" : `cannot be used: ${errorMessage(error)}`;
      reject(new DexError("no_port", `Port ${port} of ${host} ${why}.`, { hint: "Choose another with --listen." }));
    });
    server.listen(port, host, resolve);
  });
}

function readCertificate([certFile = "", keyFile = ""]: readonly string[]): { cert: Buffer; key: Buffer } {
  const cert = readLinked(certFile);
  const key = readLinked(keyFile);
  if (cert && key) return { cert, key };
  throw new DexError("team_insecure", `The file ${cert ? keyFile : certFile} cannot be read.`, {
    hint: "Name the files of the certificate (with its chain) and of its key, in PEM.",
  });
}

/** Programs that renew certificates keep links to the latest files. */
function readLinked(file: string): Buffer | undefined {
  try {
    return readRegularFile(realpathSync(file), MAX_FILE_BYTES);
  } catch {
    return undefined;
  }
}

/** A file that is being replaced just now is read the next time; the certificate of before stays. */
function renew(server: SecureServer, files: readonly string[]): void {
  try {
    server.setSecureContext(readCertificate(files));
  } catch {
    // Reported at the next start; until then the old one is used.
  }
}
