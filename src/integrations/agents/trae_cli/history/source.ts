/** TRAE CLI: Codex's rollouts in a home of its own. */
import { codexStyleSource } from "../../codex/history/source.ts";
import { traeHome } from "../integration.ts";

export const traeCliHistory = codexStyleSource({ id: "trae_cli", homes: (env) => [traeHome(env)], dialect: "trae" });
