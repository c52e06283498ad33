/** Tokens of language models and the services around them, known by a prefix of their own. */
import { A, H, type TokenRule, UUID, W } from "./shapes.ts";

export const MODEL_TOKENS: readonly TokenRule[] = [
  // Models
  { id: "anthropic-key", anchors: ["sk-ant-"], body: `${W}{32,200}` },
  { id: "openai-key", anchors: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], body: `${W}{40,300}` },
  { id: "openrouter-key", anchors: ["sk-or-v1-"], body: `${H}{64}` },
  { id: "langfuse-key", anchors: ["sk-lf-"], body: UUID },
  { id: "openai-key", anchors: ["sk-"], body: `${A}{32,128}`, bounded: true },
  { id: "model-key", anchors: ["sk-"], body: `[A-Za-z0-9]{2,12}-(?:[a-z0-9]{1,8}-)?${W}{32,200}`, bounded: true },
  { id: "huggingface-token", anchors: ["hf_", "api_org_"], body: `${A}{34,40}`, bounded: true },
  { id: "replicate-token", anchors: ["r8_"], body: `${A}{37,40}`, bounded: true },
  { id: "groq-key", anchors: ["gsk_"], body: `${A}{48,64}`, bounded: true },
  { id: "xai-key", anchors: ["xai-"], body: `${A}{70,100}`, bounded: true },
  { id: "perplexity-key", anchors: ["pplx-"], body: `${A}{40,64}` },
  { id: "nvidia-key", anchors: ["nvapi-"], body: `${W}{60,80}` },
  { id: "fireworks-key", anchors: ["fw_"], body: `${A}{22,28}(?!${W})`, bounded: true },
  { id: "langsmith-key", anchors: ["lsv2_pt_", "lsv2_sk_"], body: `${H}{32}_${H}{10}` },
  { id: "tavily-key", anchors: ["tvly-"], body: `(?:dev-|prod-)?${A}{30,64}` },
  { id: "firecrawl-key", anchors: ["fc-"], body: `${H}{32}(?!${W})`, bounded: true },
  { id: "pinecone-key", anchors: ["pcsk_"], body: `[A-Za-z0-9_]{50,100}` },
  { id: "elevenlabs-key", anchors: ["sk_"], body: `${H}{48}(?!${A})`, bounded: true },
  { id: "secret-key", anchors: ["sk_"], body: `${A}{24,128}(?!${W})`, bounded: true },
  { id: "brave-key", anchors: ["BSA"], body: `${W}{28}(?!${W})`, bounded: true },
  { id: "weights-and-biases-key", anchors: ["wandb_v1_"], body: `${W}{40,100}` },

  { id: "jina-key", anchors: ["jina_"], body: `${W}{40,80}`, bounded: true },
  { id: "cerebras-key", anchors: ["csk-"], body: `${A}{40,64}`, bounded: true },
  { id: "voyage-key", anchors: ["pa-"], body: `${W}{43}(?!${W})`, bounded: true },
  { id: "together-key", anchors: ["tgp_v1_"], body: `${W}{40,64}` },
  { id: "runpod-key", anchors: ["rpa_"], body: `${A}{36,64}`, bounded: true },
  { id: "modal-token", anchors: ["ak-", "as-"], body: `${A}{22}(?!${W})`, bounded: true },
  { id: "e2b-key", anchors: ["e2b_"], body: `${H}{40}(?!${A})`, bounded: true },
  { id: "context7-key", anchors: ["ctx7sk-"], body: UUID },
  { id: "cursor-key", anchors: ["key_", "crsr_"], body: `${H}{64}(?!${A})`, bounded: true },
];
