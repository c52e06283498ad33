/** A thread of the gate: decoding, redacting and compressing is most of the work of a push. */
import { serveJobs } from "../../threads/serve.ts";
import { type GateJob, type GateResult, passGate } from "./gate.ts";

serveJobs<GateJob, GateResult>((job, post) => {
  const result = passGate(job);
  // Each piece has its own buffer, so it can be transferred instead of copied.
  const owned = "pieces" in result ? result.pieces.map(({ data }) => data.buffer as ArrayBuffer) : [];
  post(result, owned);
});
