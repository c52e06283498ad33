/** The session a command was started in, from the variables that agents set for the commands they run. */
import { INTEGRATIONS } from "./registry.ts";

/** Set by a person or a script; it has precedence over the variables of agents. */
const OWN_VARIABLE = "DEX_SESSION";

const AGENT_VARIABLES: readonly { name: string; agent: string }[] = INTEGRATIONS.flatMap(
  ({ id, sessionVariables = [] }) => sessionVariables.map((name) => ({ name, agent: id })),
);

export function currentSession(vars: NodeJS.ProcessEnv): string | undefined {
  return vars[OWN_VARIABLE] || agentSession(vars)?.id;
}

/** The agent that runs the command, if its variables name it. */
export function currentAgent(vars: NodeJS.ProcessEnv): string | undefined {
  return vars[OWN_VARIABLE] ? undefined : agentSession(vars)?.agent;
}

function agentSession(vars: NodeJS.ProcessEnv): { id: string; agent: string } | undefined {
  for (const { name, agent } of AGENT_VARIABLES) {
    const id = vars[name];
    if (id) return { id, agent };
  }
  return undefined;
}

/**
 * For a process that serves several callers: the session of the agent that started it is not theirs. DEX_SESSION stays,
 * because it was set for this process.
 */
export function withoutSession(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(AGENT_VARIABLES.map(({ name }) => name));
  return Object.fromEntries(Object.entries(vars).filter(([name]) => !names.has(name)));
}
