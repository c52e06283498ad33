/** Google's protocol of the scripted model: `streamGenerateContent`, which Gemini CLI reads, and `generateContent`. */
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { ModelProtocol, ModelReply } from "./model_server.ts";

export const geminiProtocol: ModelProtocol = {
  path: /:(?:streamGenerateContent|generateContent)$/,
  isStreamed: ({ path }) => path.endsWith(":streamGenerateContent"),
  whole: (_request, reply, n) => generated(reply, n),
  events: (_request, reply, n) => `data: ${JSON.stringify(generated(reply, n))}\n\n`,
};

function generated(reply: ModelReply, n: number): JsonObject {
  const { input = 1, output = 1 } = reply.usage ?? {};
  const text = reply.text === undefined ? [] : [{ text: reply.text }];
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    functionCall: { id: `call_${n}_${index}`, name: call.name, args: { ...call.arguments } },
  }));
  const content = { role: "model", parts: [...text, ...calls] };
  return {
    candidates: [{ index: 0, content, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: "scripted",
    responseId: `response_${n}`,
  };
}
