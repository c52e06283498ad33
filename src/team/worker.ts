/** A thread of the gate: decoding, redacting and compressing is most of the work of a push. */
import { serveJobs } from "../threads/serve.ts";
import { type GateJob, type GateResult, passGate } from "./gate.ts";

serveJobs<GateJob, GateResult>((job, post) => post(passGate(job)));
