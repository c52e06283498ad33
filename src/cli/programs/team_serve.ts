import * as z from "zod";
import { defineProgram } from "../command.ts";

const file = z.string().min(1).max(4096).optional();

export const teamServe = defineProgram({
  verb: "team serve",
  summary: "Run the gateway of a team: members reach it over HTTPS, with a token for each device",
  about:
    "Runs a gateway in front of a team's PostgreSQL until you stop it. Members who join through it get a revocable token " +
    "for each device instead of a database login. `dex team gateway` makes the login that the gateway itself needs.",
  positionals: [],
  input: z.strictObject({
    url: z.string().max(4000).optional().describe("postgres://… of the gateway's login; other users may see it"),
    url_file: file.describe("A file that contains this address, instead of --url"),
    listen: z.string().max(300).default("127.0.0.1:8443").describe("Where to listen: host:port"),
    cert: file.describe("File of the TLS certificate with its chain (PEM); needed beyond this machine"),
    key: file.describe("File of the certificate's key (PEM)"),
    connections: z.int().min(1).max(200).default(10).describe("Connections to PostgreSQL"),
    log: z.boolean().default(false).describe("Print a line for every call"),
  }),
  run: async (input) => (await import("../running/team_serve.ts")).serveTeam(input),
});
