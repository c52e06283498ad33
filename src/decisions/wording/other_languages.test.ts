import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreSentence } from "./cues.ts";
import { sentencesOf } from "./sentences.ts";

test("a user's decision with an alternative or a reason is one in other languages, too", () => {
  for (const [sentence, alternative, reason] of [
    ["Wir nehmen Redis statt Memcached, weil wir Listen brauchen.", "Memcached", "wir Listen brauchen"],
    ["Gut, dann entscheiden wir uns für den Zähler und gegen die Sequenz.", "die Sequenz", null],
    ["On garde npm au lieu de pnpm parce que la CI le connaît.", "pnpm", "la CI le connaît"],
    ["Usaremos SQLite en vez de Postgres porque no hay servidor.", "Postgres", "no hay servidor"],
    ["Хорошо, выбираем Vite вместо Webpack, потому что он быстрее.", "Webpack", "он быстрее"],
    ["我们决定使用 Vite 而不是 Webpack,因为它更快。", "Webpack", "它更快"],
    ["Webpack ではなく Vite を採用します", "Webpack", null],
  ] as const) {
    const { score, alternatives, because } = scoreSentence(sentence, { who: "user" });
    assert.ok(score >= 6, `${sentence}: ${score}`);
    assert.deepEqual([alternatives[0], because], [alternative, reason], sentence);
  }
});

test("questions, conditions, proposals and explanations decide nothing", () => {
  for (const sentence of [
    "Nehmen wir Redis statt Memcached?",
    "Wenn wir Redis statt Memcached verwenden, wird es schneller.",
    "Wir nehmen Redis.",
    "Si nous utilisons npm au lieu de pnpm, la CI échoue.",
    "Если выбираем Vite вместо Webpack, то сборка быстрее.",
    "是否决定使用 Vite 而不是 Webpack?",
    "Webpack ではなく Vite を採用しますか",
    "Der Benutzer wählt die Datei aus, weil er sie öffnen will.",
  ])
    assert.ok(scoreSentence(sentence, { who: "user" }).score < 5, sentence);
  const explained = "Wir verwenden hier eine Liste statt einer Menge, weil die Reihenfolge zählt.";
  assert.ok(scoreSentence(explained, { who: "assistant" }).score < 5);
  assert.ok(scoreSentence("Wir haben uns für Redis statt Memcached entschieden.", { who: "assistant" }).score >= 5);
});

test("sentences end without a space in Chinese and Japanese, and need no spaces between words", () => {
  assert.deepEqual(sentencesOf("では Vite を採用します。理由は速度です。はい。"), [
    "では Vite を採用します。",
    "理由は速度です。",
  ]);
});
