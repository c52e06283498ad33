import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { put, SESSION, say, Transcript } from "../../../test/support/histories/claude.ts";
import { TestRepository, temporaryFolder } from "../../../test/support/repository.ts";
import { isSigned, Receiver } from "../../../test/support/servers/receiver.ts";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../code/project.ts";
import { Dex } from "../../dex.ts";
import { decide } from "../../operations/history/decisions/decide.ts";
import { testsImport } from "../../operations/history/tests.ts";
import { runOperation } from "../../operations/run.ts";
import { subscribe } from "../../operations/suggest/subscribe.ts";
import { openState } from "../../store/engine/state.ts";
import type { Delivery, Subscription } from "../../store/state/subscriptions.ts";
import type { ChangeBatch } from "../model.ts";
import { startNotifier } from "./notifier.ts";
import { Triggers } from "./triggers.ts";

const TOKEN =
  "/** Signs and checks session tokens. */\nexport function validateToken(text) { return text.length > 3; }\nexport function renew() { return 1; }\n";
const LOGIN =
  "import { validateToken } from './token.js';\nexport function login(text) { return validateToken(text); }\n";

/** A project whose files changed together. */
function project(): TestRepository {
  const repository = new TestRepository();
  for (let i = 0; i < 6; i += 1) {
    repository.commit(`Tokens ${i}`, {
      "src/auth/token.js": `${TOKEN}// ${i}\n`,
      "src/auth/login.js": `${LOGIN}// ${i}\n`,
      "src/auth/token.test.js": `import { validateToken } from './token.js';\nvalidateToken('${i}');\n`,
    });
    repository.commit(`Tide ${i}`, { "src/tide.js": `export const high = ${i};\n`, "docs/tide.md": `# Tide ${i}\n` });
  }
  return repository;
}

let shared: TestRepository | undefined;

/** The project, a home, and a clock. */
class Scene {
  readonly repository: TestRepository;
  readonly vars = { DEX_HOME: join(temporaryFolder(), ".dex"), HOME: temporaryFolder(), PATH: process.env.PATH ?? "" };
  now = Date.parse("2026-02-01T00:00:00Z");

  constructor() {
    shared ??= project();
    const root = temporaryFolder();
    cpSync(shared.root, root, { recursive: true, preserveTimestamps: true });
    this.repository = new TestRepository(root);
  }

  async open(): Promise<Dex> {
    return Dex.open({ vars: this.vars, cwd: this.repository.root, now: () => this.now });
  }

  async subscribe(input: Record<string, unknown>): Promise<string> {
    const dex = await this.open();
    const parsed = subscribe.input.parse({ min_relevance: 0, ...input });
    const { output } = await runOperation(dex, subscribe, parsed, { sync: false });
    dex.close();
    return output.subscription.id;
  }

  /** Refreshes the index, as the watcher does before it reports a change. */
  async index(): Promise<void> {
    const dex = await this.open();
    const project = findCodeProject(dex.paths.code, this.repository.root);
    await indexProject(project, { now: this.now });
    openCode(project).store.close();
    dex.close();
  }

  async start(): Promise<Triggers> {
    await this.index();
    return Triggers.start({
      folder: this.repository.root,
      open: { vars: this.vars, now: () => this.now },
      monotonic: () => this.now,
    });
  }

  batch(...changed: string[]): ChangeBatch {
    return {
      folder: this.repository.root,
      time: this.now,
      changed,
      removed: [],
      head: false,
      conversations: false,
      tests: false,
    };
  }

  get state(): { subscriptions: Subscription[]; deliveries: Delivery[]; suggestions: string[] } {
    const state = openState(join(this.vars.DEX_HOME, "state.db"));
    try {
      return {
        subscriptions: state.subscriptions.all(),
        deliveries: state.deliveries.after(0, {}, 1000),
        suggestions: state.suggestions.recent(undefined, 100).map(({ id }) => id),
      };
    } finally {
      state.close();
    }
  }
}

interface Body {
  id: string;
  matched: { type: string; source: string }[];
  suggestion: { id: string; trigger: { type: string; source: string }; suggestions: { entityId: string }[] };
}

const bodyOf = (delivery: Delivery | undefined): Body => JSON.parse(delivery?.body ?? "{}") as Body;

test("a matching change writes the suggestion, its delivery and the time together", async () => {
  const scene = new Scene();
  const id = await scene.subscribe({ file: ["src/auth/**"] });
  const triggers = await scene.start();
  assert.equal(await triggers.take(scene.batch("src/tide.js")), 0);
  assert.equal(scene.state.deliveries.length, 0);
  assert.equal(await triggers.take(scene.batch("README.md", "src/auth/token.js")), 1);
  const { subscriptions, deliveries, suggestions } = scene.state;
  assert.equal(deliveries.length, 1);
  assert.equal(deliveries[0]?.subscriptionId, id);
  assert.equal(subscriptions[0]?.lastTriggeredAt, scene.now);
  const body = bodyOf(deliveries[0]);
  assert.equal(body.id, deliveries[0]?.id);
  assert.deepEqual(body.suggestion.trigger, { type: "file_change", source: "src/auth/token.js" });
  assert.deepEqual(suggestions, [body.suggestion.id]);
  const entities = body.suggestion.suggestions.map(({ entityId }) => entityId);
  // Without a gate everything is delivered, and items about the change come first.
  const auth = entities.findLastIndex((entity) => entity.includes("src/auth/"));
  const tide = entities.findIndex((entity) => entity.includes("tide"));
  assert.ok(auth >= 0 && (tide < 0 || auth < tide), entities.join(", "));
  await triggers.close();
});

test("the maximum and the minimum of the subscription hold", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["**"], max_suggestions: 1 });
  const strict = await scene.subscribe({ file: ["**"], min_relevance: 1 });
  const triggers = await scene.start();
  assert.equal(await triggers.take(scene.batch("src/auth/token.js")), 1);
  const { deliveries, subscriptions } = scene.state;
  assert.equal(bodyOf(deliveries[0]).suggestion.suggestions.length, 1);
  assert.equal(subscriptions.find(({ id }) => id === strict)?.lastTriggeredAt, null);
  await triggers.close();
});

test("symbols match when their own text changes", async () => {
  const scene = new Scene();
  await scene.subscribe({ symbol: ["validateToken"], cooldown_ms: 0, item_cooldown_ms: 0 });
  const triggers = await scene.start();
  // Another function of the same file.
  scene.repository.write("src/auth/token.js", TOKEN.replace("return 1", "return 2"));
  await scene.index();
  assert.equal(await triggers.take(scene.batch("src/auth/token.js")), 0);
  scene.repository.write("src/auth/token.js", TOKEN.replace("> 3", "> 30"));
  await scene.index();
  assert.equal(await triggers.take(scene.batch("src/auth/token.js")), 1);
  const { trigger } = bodyOf(scene.state.deliveries[0]).suggestion;
  assert.deepEqual(trigger, { type: "symbol_focus", source: "validateToken" });
  await triggers.close();
});

test("topics match by what a file or a prompt is about", async () => {
  const scene = new Scene();
  await scene.subscribe({ topic: ["session tokens"], cooldown_ms: 0, item_cooldown_ms: 0 });
  const triggers = await scene.start();
  assert.equal(await triggers.take(scene.batch("src/tide.js")), 0);
  assert.equal(await triggers.take(scene.batch("src/auth/token.js")), 1);
  const prompt = { folder: scene.repository.root, recent: [] };
  assert.equal(await triggers.focus({ ...prompt, prompt: "when is high water in the harbour" }), 0);
  assert.equal(await triggers.focus({ ...prompt, file: "src/auth/login.js", prompt: "renew session tokens" }), 1);
  await triggers.close();
});

test("a prompt in a conversation of the project matches a topic; the conversation is the session", async () => {
  const scene = new Scene();
  await scene.subscribe({ topic: ["session tokens"], cooldown_ms: 0, item_cooldown_ms: 0 });
  scene.now = Date.parse("2026-03-01T10:00:00Z");
  const triggers = await scene.start();
  const transcript = new Transcript()
    .prompt("Make validateToken in src/auth/token.js renew session tokens", { cwd: scene.repository.root })
    .answer("m1", say("I will."));
  put(scene.vars.HOME, `${SESSION}.jsonl`, transcript.text);
  const dex = await scene.open();
  await dex.sync();
  dex.close();
  assert.equal(await triggers.take({ ...scene.batch(), conversations: true }), 1);
  const { trigger } = bodyOf(scene.state.deliveries[0]).suggestion;
  assert.equal(trigger.type, "activity");
  assert.match(trigger.source, /^Make validateToken/);
  // The same prompt does not trigger twice.
  scene.now += 60_000;
  assert.equal(await triggers.take({ ...scene.batch(), conversations: true }), 0);
  await triggers.close();
});

test("a test that fails now matches by its file", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["src/auth/**"] });
  const triggers = await scene.start();
  const report = (failed: string) =>
    `<testsuite name="t"><testcase name="renews" file="src/auth/token.test.js">${failed}</testcase></testsuite>`;
  const notice = async (failed: string): Promise<number> => {
    scene.repository.write("junit.xml", report(failed));
    const dex = await scene.open();
    await runOperation(dex, testsImport, { file: "junit.xml" }, { sync: false });
    dex.close();
    return triggers.take({ ...scene.batch(), tests: true });
  };
  assert.equal(await notice(""), 0);
  scene.now += 60_000;
  assert.equal(await notice('<failure message="expected 1">at renews</failure>'), 1);
  assert.equal(bodyOf(scene.state.deliveries[0]).suggestion.trigger.source, "src/auth/token.test.js");
  await triggers.close();
});

test("an entity other than a file matches when it would be suggested", async () => {
  const scene = new Scene();
  const dex = await scene.open();
  const input = decide.input.parse({ text: "Tokens are short-lived", file: ["src/auth/token.js"] });
  const { output } = await runOperation(dex, decide, input, { sync: false });
  dex.close();
  const entity = `decision:${output.decision.id}`;
  await scene.subscribe({ entity: [entity] });
  const triggers = await scene.start();
  assert.equal(await triggers.take(scene.batch("docs/tide.md")), 0);
  await triggers.close();
  const next = await scene.start();
  assert.equal(await next.take(scene.batch("src/auth/token.js")), 1);
  assert.deepEqual(
    bodyOf(scene.state.deliveries[0]).suggestion.suggestions.map(({ entityId }) => entityId),
    [entity],
  );
  await next.close();
});

test("during the cooldown changes are gathered; an unchanged item is not repeated", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["**"], cooldown_ms: 60_000, item_cooldown_ms: 3_600_000, max_suggestions: 20 });
  const triggers = await scene.start();
  assert.equal(await triggers.take(scene.batch("src/auth/token.js")), 1);
  scene.now += 30_000;
  assert.equal(await triggers.take(scene.batch("src/tide.js")), 0);
  await triggers.close();
  // A new process knows only the stored cooldowns.
  const next = await scene.start();
  scene.now += 10_000;
  assert.equal(await next.take(scene.batch("src/tide.js")), 0);
  await next.close();
  const later = await scene.start();
  scene.now += 60_000;
  assert.equal(await later.take(scene.batch("src/tide.js", "src/auth/token.js")), 1);
  const [first, second] = scene.state.deliveries.map((each) =>
    bodyOf(each).suggestion.suggestions.map(({ entityId }) => entityId),
  );
  assert.ok(first && second && first.length > 0 && second.length > 0);
  assert.deepEqual(
    second.filter((entity) => first.includes(entity)),
    [],
  );
  await later.close();
});

test("pending matches are delivered when the cooldown is over", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["**"], cooldown_ms: 50, item_cooldown_ms: 50 });
  let told = 0;
  await scene.index();
  const both = new Promise<void>((resolve) => {
    void Triggers.start({
      folder: scene.repository.root,
      open: { vars: scene.vars },
      wake: () => {
        told += 1;
        if (told === 2) resolve();
      },
    }).then(async (triggers) => {
      await triggers.take(scene.batch("src/auth/token.js"));
      await triggers.take(scene.batch("src/tide.js"));
      await both;
      await triggers.close();
    });
  });
  // Only the end of the cooldown causes the second delivery.
  const alive = setInterval(() => {}, 1000);
  await both;
  clearInterval(alive);
  assert.equal(scene.state.deliveries.length, 2);
});

test("a clock that is set back neither stops nor floods", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["**"], cooldown_ms: 60_000, item_cooldown_ms: 60_000 });
  const first = await scene.start();
  assert.equal(await first.take(scene.batch("src/auth/token.js")), 1);
  await first.close();
  scene.now -= 365 * 24 * 3_600_000;
  const second = await scene.start();
  assert.equal(await second.take(scene.batch("src/auth/token.js")), 0);
  await second.close();
  scene.now += 60_000;
  const third = await scene.start();
  assert.equal(await third.take(scene.batch("src/auth/token.js")), 1);
  await third.close();
});

test("ten thousand files at once are one suggestion", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["src/**"], symbol: ["/^validate/"], topic: ["session tokens"], entity: ["commit:0"] });
  const triggers = await scene.start();
  const many = Array.from({ length: 10_000 }, (_, i) => `src/generated/${i}.js`);
  assert.equal(await triggers.take(scene.batch("src/auth/token.js", ...many)), 1);
  assert.equal(scene.state.deliveries.length, 1);
  assert.ok(bodyOf(scene.state.deliveries[0]).matched.length <= 10);
  await triggers.close();
});

test("two watchers of one project deliver a change once", async () => {
  const scene = new Scene();
  await scene.subscribe({ file: ["**"], cooldown_ms: 60_000, item_cooldown_ms: 60_000 });
  const watchers = [await scene.start(), await scene.start()];
  // Each refreshes the indexes first, which two cannot do at once in one process.
  for (const watcher of watchers) {
    assert.equal(await watcher.take(scene.batch("src/auth/token.js")), 1);
    scene.now += 60_000;
  }
  const written = await Promise.all(watchers.map((each) => each.take(scene.batch("src/auth/token.js"))));
  assert.deepEqual(written.toSorted(), [0, 1]);
  assert.equal(scene.state.deliveries.length, 3);
  await Promise.all(watchers.map((each) => each.close()));
});

test("a change reaches a webhook, signed, while something watches", async () => {
  const scene = new Scene();
  const receiver = await Receiver.start();
  const dex = await scene.open();
  const input = subscribe.input.parse({ file: ["src/**"], callback_url: receiver.url, min_relevance: 0 });
  const { output } = await runOperation(dex, subscribe, input, { sync: false });
  dex.close();
  await scene.index();
  const errors: unknown[] = [];
  const telling = await startNotifier({
    folder: scene.repository.root,
    vars: scene.vars,
    report: (error) => errors.push(error),
  });
  try {
    assert.equal(await telling.changed(scene.batch("src/auth/token.js")), 1);
    await receiver.came(1);
    const [got] = receiver.received;
    assert.ok(got && isSigned(got, output.secret ?? ""));
    assert.equal((JSON.parse(got.body) as Body).id, got.id);
  } finally {
    await telling.close();
    await receiver.end();
  }
  assert.deepEqual(errors, []);
  // A delivered suggestion counts as shown.
  const state = openState(join(scene.vars.DEX_HOME, "state.db"));
  assert.equal(state.deliveries.counts(output.subscription.id).delivered, 1);
  assert.equal(state.suggestions.recent(undefined, 1)[0]?.status, "shown");
  state.close();
});
