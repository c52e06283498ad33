import assert from "node:assert/strict";
import { test } from "node:test";
import { contentWords, fullness, hasContent, isWorthAnswering } from "./prompt_content.ts";

const EMPTY = [
  ...[
    "hi",
    "hello",
    "hey there",
    "good morning!",
    "thanks",
    "thank you so much",
    "perfect, thanks!",
    "great",
    "nice work",
  ],
  ...[
    "yes",
    "yes please",
    "y",
    "ok",
    "OK.",
    "okay, do it",
    "sure",
    "sounds good",
    "no",
    "nope",
    "not yet",
    "lgtm",
    "LGTM 👍",
  ],
  ...[
    "go on",
    "go ahead",
    "continue",
    "continue please",
    "please proceed",
    "keep going",
    "next",
    "next step",
    "and then?",
  ],
  ...[
    "commit",
    "commit this",
    "commit and push",
    "push it",
    "merge it",
    "is it merged and released?",
    "keep debugging and planning",
    "open a PR",
    "create a pull request",
    "rebase",
    "commit staged changes",
    "ok so what do you recommend",
  ],
  ...[
    "fix it",
    "fix this please",
    "fix the error",
    "fix all errors",
    "try again",
    "retry",
    "undo that",
    "revert",
    "stop",
  ],
  ...[
    "run the tests",
    "run it again",
    "build",
    "lint",
    "deploy",
    "update the docs",
    "clean up",
    "refactor this",
    "review",
  ],
  ...[
    "what happened?",
    "why?",
    "what's next?",
    "is it done?",
    "are you sure?",
    "explain",
    "summarize what you did",
    "help me",
  ],
  ...["does it work now?", "still failing", "same error", "it works!", "wait", "/compact", "/review", "...", "👍", ""],
  ...["sí, adelante", "d'accord", "vas-y, continue", "va bene, procedi", "pode continuar", "ga verder", "tamam, devam"],
  ...["still broken", "it is broken again", "dobrze, kontynuuj"],
  ...["weiter", "ja bitte", "danke", "oui", "merci", "sí, gracias", "继续", "好的", "はい", "계속", "продолжай"],
  ...[
    "ja, genau so",
    "mach bitte weiter",
    "хорошо, давай дальше",
    "続けてください",
    "修正してください",
    "请继续",
    "继续吧",
  ],
];

const FULL = [
  ...["fix the login", "why is the cache stale?", "add pagination to the invoices list", "use zod for the settings"],
  ...[
    "fix src/pool.ts",
    "rename openPool",
    "what does RefObject<T> do",
    "run the tests in billing",
    "error TS2304",
    "exit code 137",
  ],
  ...[
    "continue with the migration of the users table",
    "commit the parser",
    "explain BM25",
    "update changelog for websockets",
  ],
  ...[
    "make the retry exponential",
    "dark mode",
    "the tooltip flickers",
    "--no-cache is ignored",
    'it says "permission denied"',
  ],
  ...["port 8080 is taken", "revert 3f2a9bc", "bump react to 19", "wie funktioniert die Anmeldung?", "用户登录失败"],
];

test("prompts that mean something only inside their session have no content", () => {
  assert.ok(EMPTY.length >= 60);
  assert.deepEqual(EMPTY.filter(hasContent), []);
});

test("prompts that name a subject have content", () => {
  assert.deepEqual(
    FULL.filter((prompt) => !hasContent(prompt)),
    [],
  );
});

test("a long prompt has content, and any text is answered", () => {
  assert.ok(hasContent("go on and on ".repeat(60)));
  for (const odd of ["\u0000", "ﷺ", "\u202e", "a".repeat(399), "🎉🎉"]) assert.equal(typeof hasContent(odd), "boolean");
});

test("the address of an issue says nothing about it, that of a file does; and a prompt of few words says little", () => {
  const addresses = ["review https://github.com/o/r/pull/53", "ok then work on https://github.com/o/r/issues/47"];
  assert.deepEqual(addresses.map(hasContent), [true, true], "asked outright, the address may be known");
  assert.deepEqual([...EMPTY, ...addresses].filter(isWorthAnswering), []);
  const full = [...FULL, "see https://github.com/o/r/blob/main/src/pool.ts"];
  assert.deepEqual(
    full.filter((prompt) => !isWorthAnswering(prompt)),
    [],
  );
  assert.deepEqual(contentWords("Add pagination to the invoices, pagination!"), ["pagination", "invoices"]);
  assert.deepEqual(
    ["vercel I mean", "dark mode", "make the retry exponential in the pool of connections", "用户登录失败"].map(
      (each) => fullness(each).toFixed(2),
    ),
    ["0.33", "0.67", "1.00", "1.00"],
  );
});

test("inflected forms of common words add nothing to what a prompt is about", () => {
  assert.deepEqual(contentWords("pulled in main, one more PR was merged, can you update the changelog?"), [
    "changelog",
  ]);
  assert.deepEqual(contentWords("retries of the planned release"), []);
  assert.deepEqual(contentWords("released gates and planes"), ["gates", "planes"]);
});
