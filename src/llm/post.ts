/**
 * One request to a model's server, answered whole or as a stream of events. The JSON client enforces the limits; this
 * file reads the answer as a chat completion.
 */
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { answerText, type JsonRequest, postJson, RequestFailure } from "../kernel/net/json_client.ts";
import { StreamedReply, type WireReply, wholeReply } from "./wire.ts";

const MAX_ANSWER_BYTES = 16 << 20;

export interface Post extends JsonRequest {
  onText?(text: string): void;
}

export async function post(request: Post): Promise<WireReply> {
  const response = await postJson({ ...request, accept: "application/json, text/event-stream" });
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  return type.includes("text/event-stream") ? readEvents(response, request.onText) : readWhole(response, type, request);
}

async function readWhole(response: Response, type: string, { onText }: Post): Promise<WireReply> {
  let text = "";
  for await (const chunk of answerText(response, MAX_ANSWER_BYTES)) text += chunk;
  const reply = wholeReply(text);
  if (!reply) {
    const said = asString(asObject(asObject(parseJson(text)).error).message);
    if (said !== undefined) throw new RequestFailure("refused", `answered: ${said}`);
    const what = parseJson(text) === undefined ? "which is not valid JSON" : "which is not a chat completion";
    throw new RequestFailure("malformed", `answered ${type.split(";")[0] || "something"}, ${what}`, { again: true });
  }
  // The server ignored the request to stream.
  if (reply.text !== "") onText?.(reply.text);
  return reply;
}

async function readEvents(response: Response, onText: Post["onText"]): Promise<WireReply> {
  const streamed = new StreamedReply();
  // Pieces of the unfinished line, joined once to keep the time linear.
  let open: string[] = [];
  const take = (line: string): void => {
    const text = streamed.line(line.trimEnd());
    if (text !== "") onText?.(text);
  };
  for await (const chunk of answerText(response, MAX_ANSWER_BYTES)) {
    const lines = chunk.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      take(open.join("") + line);
      open = [];
    }
    open.push(last);
  }
  take(open.join(""));
  if (streamed.failure !== undefined) {
    throw new RequestFailure("refused", `broke off its answer: ${streamed.failure}`, { again: true });
  }
  if (streamed.events === 0)
    throw new RequestFailure("malformed", "sent a stream without an answer in it", { again: true });
  const reply = streamed.reply();
  if (reply.finish === undefined) throw new RequestFailure("cut", "ended its answer in the middle", { again: true });
  return reply;
}
