/** The gateway of a test's team, in a process of its own, with a certificate that the test makes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../program/dex.ts";
import { running } from "../program/running.ts";
import { TeamHome } from "./team.ts";

export class TestGateway {
  readonly folder: string = mkdtempSync(join(tmpdir(), "dex-gateway-"));
  readonly cert: string = join(this.folder, "cert.pem");
  readonly key: string = join(this.folder, "key.pem");
  readonly urlFile: string = join(this.folder, "url");
  /** The address of its login. */
  readonly login: string;
  origin = "";
  readonly #logFile: string = join(this.folder, "log");
  #child: ChildProcess | undefined;

  /** `login`: from `dex team gateway`. */
  constructor(login: string) {
    this.login = login;
    writeFileSync(this.urlFile, `${login}\n`, { mode: 0o600 });
    const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const files = ["-keyout", this.key, "-out", this.cert, "-days", "2", "-subj", "/CN=localhost", "-addext", names];
    const made = spawnSync("openssl", ["req", "-x509", ...curve, ...files], { encoding: "utf8" });
    if (made.status !== 0) throw new Error(made.stderr);
  }

  /** On the port of before, if it ran already. */
  async start(...flags: string[]): Promise<void> {
    const port = this.origin === "" ? "0" : new URL(this.origin).port;
    const words = ["team", "serve", "--url-file", this.urlFile, "--listen", `127.0.0.1:${port}`, "--log"];
    // A file, because a test that waits for a command reads no pipe.
    writeFileSync(this.#logFile, "");
    const log = openSync(this.#logFile, "a");
    const child = running(
      spawn(process.execPath, [program, ...words, "--cert", this.cert, "--key", this.key, ...flags], {
        env: { PATH: process.env.PATH ?? "", HOME: this.folder, DEX_HOME: join(this.folder, ".dex") },
        stdio: ["ignore", "ignore", log],
      }),
    );
    closeSync(log);
    this.#child = child;
    while (!this.log.includes("listens on")) {
      if (child.exitCode !== null) throw new Error(this.log);
      await new Promise((wake) => setTimeout(wake, 10));
    }
    this.origin = /listens on (\S+)/.exec(this.log)?.[1] ?? "";
  }

  /** Its output since the last start. */
  get log(): string {
    return readFileSync(this.#logFile, "utf8");
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.end("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A home that joined through this gateway. */
  join(admin: TeamHome, name: string, role = "member", vars: Record<string, string> = {}): TeamHome {
    const home = new TeamHome(vars);
    const { invitation, via } = admin.ok("team", "invite", name, "--role", role);
    if (via !== "gateway") throw new Error(`the invitation is one of a ${via}`);
    home.ok("team", "join", String(invitation), "--machine", `${name}-laptop`, "--ca", this.cert);
    return home;
  }
}
