/**
 * Real agents run dex's hooks as `dex install --hooks` sets them up, each in a home of its own, against a scripted model
 * on the loopback: the request to the model contains the output of the hooks, and only the first time. The hooks have
 * their default budget. On a busy machine some miss it: then dex counts them as late, and the turn is played again with
 * a larger budget.
 */
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { type TestContext, test } from "node:test";
import { PATIENT, type Scene } from "../../support/clients/hook_scene.ts";
import { type Moment, REAL_HOSTS, type RealHost } from "../../support/clients/real_hosts.ts";
import { realScene } from "../../support/clients/real_scene.ts";
import { asked, hooksLog, occurrences, RealSession, type Turn, told } from "../../support/clients/real_session.ts";
import { installed, missing } from "../../support/program/installed.ts";

for (const host of REAL_HOSTS) {
  test(`${host.name}'s model receives the context of dex once`, async (t) => {
    await withSession(t, host, async (session, here) => {
      const opening = once(host.opening);
      const all = once([...host.opening, ...host.calls.flatMap(({ moment }) => moment ?? [])]);

      const first = await onTime(t, here, (vars) => session.begin(vars));
      if (first.requests.length === 0 && (await session.run(["--version"])).status !== 0) {
        return t.skip(`${host.packageSpec} does not start here: ${first.answer.stderr.slice(0, 300)}`);
      }
      const seen = describe(first, here);
      assert.equal(first.answer.status, 0, seen);
      assert.deepEqual(told(first.requests[0]), opening, seen);
      assert.deepEqual(told(first.requests.at(-1)), all, seen);
      for (const moment of Object.keys(all) as Moment[]) {
        assert.ok(occurrences(first.requests.at(-1), FACTS[moment]) > 0, `${moment}: ${seen}`);
      }
      assert.deepEqual({ ...first.outcomes, silent: 0 }, { ...NONE, answered: Object.keys(all).length }, seen);

      if (!host.goOn) return;
      const second = await onTime(t, here, (vars) => session.goOn(vars));
      const again = describe(second, here);
      assert.equal(second.answer.status, 0, again);
      assert.ok(asked(second.requests.at(-1)) >= (host.losesPrompt ? 1 : 2), "the second turn continues the first");
      assert.deepEqual(told(second.requests.at(-1)), host.resumed ?? all, again);
      assert.deepEqual({ ...second.outcomes, silent: 0 }, { ...NONE, answered: host.losesStart ? 1 : 0 }, again);
    });
  });
}

test("Codex does not run hooks that nobody trusts", async (t) => {
  const host = REAL_HOSTS.find(({ agent }) => agent === "codex");
  assert.ok(host);
  await withSession(t, host, async (session, here) => {
    const turn = await session.turn(["exec", "--skip-git-repo-check", "Hello"]);
    assert.equal(turn.answer.status, 0, turn.answer.stderr);
    assert.deepEqual(told(turn.requests.at(-1)), {}, describe(turn, here));
    assert.deepEqual(turn.outcomes, NONE);
  });
});

const NONE = { answered: 0, silent: 0, late: 0, failed: 0 };

/** A fact of the scene that dex tells at each moment. */
const FACTS: Record<Moment, string> = {
  start: "whole cents",
  prompt: "src/ledger.ts",
  files: "src/rates.ts",
  edit: "was reverted",
  command: "the ledger is locked",
};

function once(moments: readonly Moment[]): Record<string, number> {
  return Object.fromEntries(moments.map((moment) => [moment, 1]));
}

async function withSession(
  t: TestContext,
  host: RealHost,
  use: (session: RealSession, here: Scene) => Promise<void>,
): Promise<void> {
  const folder = installed(host.packageSpec, { scripts: host.scripts ?? false });
  const reason = missing(host.packageSpec, folder);
  if (folder === undefined || reason !== false) return t.skip(String(reason));
  const here = realScene();
  const session = await RealSession.open(host, folder, here);
  try {
    await use(session, here);
  } finally {
    await session.close();
    here.home.remove();
  }
}

/** The turn at the default budget, or, if hooks were late, with a budget for a busy machine. */
async function onTime(
  t: TestContext,
  here: Scene,
  play: (vars: Record<string, string>) => Promise<Turn>,
): Promise<Turn> {
  const turn = await play({});
  if (turn.outcomes.late === 0 && turn.uncounted === 0) return turn;
  if (turn.outcomes.late > 0) assert.match(hooksLog(here), /: late: /);
  if (turn.uncounted > 0) t.diagnostic(`the agent ended ${turn.uncounted} hooks before they counted their outcome`);
  t.diagnostic(`${turn.outcomes.late} hooks were late at the default budget, at a load of ${loadavg()[0]?.toFixed(1)}`);
  return play(PATIENT);
}

function describe({ answer, outcomes }: Turn, here: Scene): string {
  return [JSON.stringify(outcomes), hooksLog(here), answer.stdout, answer.stderr].join("\n");
}
