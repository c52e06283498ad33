/** The two models of the package that compare a question with passages. */
import type { Settings } from "../config/schema.ts";
import { encoderPath } from "../embedding/locate.ts";
import type { StaticEmbedder } from "../embedding/static.ts";
import { staticEmbedder } from "../search/query/vector.ts";
import { type Models, NO_MODELS, type SentenceModel } from "./question/question_words.ts";

/** The weights are the same for every home, and reading them takes longer than embedding a question. */
const encoders = new WeakMap<StaticEmbedder, Promise<SentenceModel | undefined>>();

/** No models if the settings turn vectors off. */
export async function modelsOf(settings: Settings): Promise<Models> {
  const words = staticEmbedder(settings);
  if (!words) return NO_MODELS;
  let opening = encoders.get(words);
  if (!opening) {
    opening = openEncoder(words);
    encoders.set(words, opening);
  }
  return { words, sentences: await opening };
}

async function openEncoder(words: StaticEmbedder): Promise<SentenceModel | undefined> {
  const path = encoderPath();
  if (path === undefined) return undefined;
  const { SentenceEncoder } = await import("../embedding/encoder/encoder.ts");
  return new SentenceEncoder(path, words);
}
