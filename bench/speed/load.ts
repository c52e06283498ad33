/** Many clients of one HTTP server, each with a connection of its own. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Target {
  port: number;
  token: string;
}

export interface Call {
  name: string;
  input: object;
}

export interface Load {
  clients: number;
  seconds: number;
  /** Milliseconds between two calls of a client, on average; uniform between half and one and a half of it. */
  think: number;
}

export interface Measured {
  /** Milliseconds of each call that was answered. */
  latencies: number[];
  errors: number;
}

export async function load(
  target: Target,
  calls: readonly Call[],
  { clients, seconds, think }: Load,
): Promise<Measured> {
  const measured: Measured = { latencies: [], errors: 0 };
  const end = performance.now() + seconds * 1000;
  const client = async (first: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await sleep(Math.random() * think);
    for (let next = first; performance.now() < end; next += 1) {
      const begin = performance.now();
      const answered = await post(target, agent, calls[next % calls.length] as Call);
      if (answered) measured.latencies.push(performance.now() - begin);
      else measured.errors += 1;
      if (think > 0) await sleep(think * (0.5 + Math.random()));
    }
    agent.destroy();
  };
  // Each begins with another call, as far as there are enough: a server answers equal calls together.
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return measured;
}

/** Whether the call returned a result that is not an error. */
function post({ port, token }: Target, agent: Agent, { name, input }: Call): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "Content-Length": Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => resolve(false));
      response.on("end", () =>
        resolve(response.statusCode === 200 && /"content":\[/.test(text) && !/"isError":true/.test(text)),
      );
    });
    sent.on("error", () => resolve(false));
    sent.end(body);
  });
}
