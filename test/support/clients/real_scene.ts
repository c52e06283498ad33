/** The scene of the hooks' tests for sessions of real agents, with work that went wrong: each moment has something to say. */
import { writeDialogue } from "../histories/dialogue.ts";
import { type Scene, scene } from "./hook_scene.ts";

/** The file that the model reads and edits, and an edit that can be repeated. */
export const FILE = "src/tax.ts";
export const OLD_TEXT = "rate(4)";
export const NEW_TEXT = "rate(4) + 0";
/** Is about another file, so that the prompt's text does not anticipate the one about the file. */
export const PROMPT = "Make the rounding of the ledger exact for half cents again";
/** A command whose last runs failed. It fails again: the project has no such file. */
export const FAILING_COMMAND = "node scripts/close.mjs";

const HOUR_MS = 3_600_000;
const CONVERSATIONS = ["aaaaaaaa-0000-4000-8000-000000000002", "aaaaaaaa-0000-4000-8000-000000000003"];

export function realScene(): Scene {
  const { home, repo } = scene();
  for (let rate = 1; rate <= 4; rate += 1) repo.commit(`feat: rates of quarter ${rate}`, filesAt(rate));
  const change = repo.commit("feat: one rate for all", filesAt(9));
  repo.commit(`Revert "feat: one rate for all"\n\nThis reverts commit ${change}.`, filesAt(4));
  // Changed before the session, so the session's own edits do not change the list of uncommitted files.
  repo.write(FILE, `${filesAt(4)[FILE]}// Half cents are still open.\n`);
  CONVERSATIONS.forEach((id, index) => {
    const turns = [
      { user: "Close the books of this month" },
      { command: FAILING_COMMAND, output: "Error: the ledger is locked", failed: true },
      { agent: "The books cannot be closed while the ledger is locked." },
    ];
    writeDialogue(home.home, id, turns, { start: Date.now() - (index + 1) * HOUR_MS, cwd: repo.root });
  });
  const refresh = home.run("refresh");
  if (refresh.status !== 0) throw new Error(`dex refresh: ${refresh.stdout}${refresh.stderr}`);
  return { home, repo };
}

/** Two files that change together. */
function filesAt(quarter: number): Record<string, string> {
  return {
    [FILE]: `import { rate } from "./rates.ts";\nexport const tax = (): number => rate(${quarter});\n`,
    "src/rates.ts": `export const rate = (quarter: number): number => quarter + ${quarter};\n`,
  };
}
