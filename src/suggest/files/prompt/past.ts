/** The evidence of past work for the files of a prompt: similar conversations edited them, or they changed lately. */
import type { ChangeHistory } from "../../../project/changes.ts";

/** A past conversation that a search for the prompt found, with the files of the project that it edited. */
export interface NearConversation {
  score: number;
  files: readonly string[];
  /** Its title, date and address. */
  name?: () => string;
}

export const MAX_NEAR_CONVERSATIONS = 5;
export const MAX_CHANGES = 60;
/** In changes. */
const HALF_LIFE = 8;

interface NearShare {
  share: number;
  nearest: number;
  by: (() => string) | undefined;
}

/** `certainty`: how specific the prompt is from which the similarity was computed. */
export function nearShares(near: readonly NearConversation[], certainty: number): Map<string, NearShare> {
  const found = new Map<string, NearShare>();
  const first = near.slice(0, MAX_NEAR_CONVERSATIONS);
  const best = first[0]?.score || 1;
  const all = first.reduce((sum, { score }) => sum + score, 0) || 1;
  for (const { score, files, name } of first) {
    // A conversation that edited many files is weaker evidence for each.
    const focus = 1 / Math.sqrt(Math.max(1, files.length));
    for (const path of new Set(files)) {
      const known = found.get(path) ?? { share: 0, nearest: 0, by: name };
      found.set(path, {
        by: known.by ?? name,
        share: known.share + (certainty * score) / all,
        nearest: Math.max(known.nearest, certainty * (score / best) * focus),
      });
    }
  }
  return found;
}

export function usualShares(...changes: (ChangeHistory | undefined)[]): Map<string, { share: number; recent: number }> {
  const found = new Map<string, { share: number; recent: number }>();
  for (const each of changes) {
    let all = 0;
    const weights = new Map<string, { share: number; recent: number }>();
    for (const [age, { files }] of (each?.latest(MAX_CHANGES) ?? []).entries()) {
      const weight = 0.5 ** (age / HALF_LIFE);
      all += weight;
      for (const path of files) {
        const known = weights.get(path);
        if (known) known.share += weight;
        else weights.set(path, { share: weight, recent: 1 / (1 + age) });
      }
    }
    for (const [path, own] of weights) {
      own.share /= all + 1;
      const known = found.get(path);
      if (!known) found.set(path, own);
      else {
        known.share = Math.max(known.share, own.share);
        known.recent = Math.max(known.recent, own.recent);
      }
    }
  }
  return found;
}
