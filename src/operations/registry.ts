/**
 * All verbs, each loaded only when it is used. They come in families: the folders of `operations` and `rendering`, and
 * the groups of `dex help` and of the reference page.
 */
import type { Operation } from "./operation.ts";

type Loader = () => Promise<Operation>;

export const FAMILY_NAMES = [
  "conversations",
  "docs",
  "code",
  "history",
  "suggest",
  "memory",
  "ask",
  "batch",
  "usage",
  "agents",
  "team",
  "upkeep",
] as const;
export type VerbFamily = (typeof FAMILY_NAMES)[number];

interface FamilyDefinition {
  /** The heading above its commands in the help and on the reference page. */
  title: string;
  verbs: Readonly<Record<string, Loader>>;
}

export const FAMILIES = {
  conversations: {
    title: "Conversations",
    verbs: {
      search: async () => (await import("./conversations/search.ts")).search,
      fix: async () => (await import("./conversations/fix.ts")).fix,
      how: async () => (await import("./conversations/how.ts")).how,
      stats: async () => (await import("./conversations/stats.ts")).stats,
      list: async () => (await import("./conversations/list.ts")).list,
      index: async () => (await import("./conversations/index.ts")).index,
      show: async () => (await import("./conversations/show.ts")).show,
      scan: async () => (await import("./conversations/scan.ts")).scan,
      read: async () => (await import("./conversations/read.ts")).read,
      timeline: async () => (await import("./conversations/timeline.ts")).timeline,
      prompts: async () => (await import("./conversations/within/prompts.ts")).prompts,
      message: async () => (await import("./conversations/message.ts")).message,
      messages: async () => (await import("./conversations/within/messages.ts")).messages,
      find: async () => (await import("./conversations/within/find.ts")).find,
      family: async () => (await import("./conversations/within/family.ts")).family,
      activity: async () => (await import("./conversations/activity.ts")).activity,
      resume: async () => (await import("./conversations/resume.ts")).resume,
    },
  },
  docs: {
    title: "Documentation",
    verbs: {
      "docs list": async () => (await import("./docs/collections/list.ts")).docsList,
      "docs documents": async () => (await import("./docs/documents.ts")).docsDocuments,
      "docs search": async () => (await import("./docs/search.ts")).docsSearch,
      "docs search-batch": async () => (await import("./docs/search_batch.ts")).docsSearchBatch,
      "docs related": async () => (await import("./docs/related.ts")).docsRelated,
      "docs outline": async () => (await import("./docs/outline.ts")).docsOutline,
      "docs section": async () => (await import("./docs/section.ts")).docsSection,
      "docs show": async () => (await import("./docs/show.ts")).docsShow,
      "docs add": async () => (await import("./docs/collections/add.ts")).docsAdd,
      "docs sync": async () => (await import("./docs/collections/sync.ts")).docsSync,
      "docs remove": async () => (await import("./docs/collections/remove.ts")).docsRemove,
      "docs pack": async () => (await import("./docs/collections/pack.ts")).docsPack,
      trust: async () => (await import("./docs/collections/trust.ts")).trust,
    },
  },
  code: {
    title: "Code",
    verbs: {
      code: async () => (await import("./code/code.ts")).code,
      "code files": async () => (await import("./code/files.ts")).codeFiles,
      "code graph": async () => (await import("./code/graph.ts")).codeGraph,
      "code index": async () => (await import("./code/index.ts")).codeIndex,
    },
  },
  history: {
    title: "History and decisions",
    verbs: {
      history: async () => (await import("./history/history.ts")).history,
      blame: async () => (await import("./history/blame.ts")).blame,
      restore: async () => (await import("./history/restore.ts")).restore,
      decisions: async () => (await import("./history/decisions/decisions.ts")).decisions,
      decide: async () => (await import("./history/decisions/decide.ts")).decide,
      "decisions accept": async () => (await import("./history/decisions/verdicts.ts")).acceptDecision,
      "decisions reject": async () => (await import("./history/decisions/verdicts.ts")).rejectDecision,
      "decisions supersede": async () => (await import("./history/decisions/verdicts.ts")).supersedeDecision,
      "decisions extract": async () => (await import("./history/decisions/extract.ts")).extractDecisions,
      "tests import": async () => (await import("./history/tests.ts")).testsImport,
      "tests list": async () => (await import("./history/tests.ts")).testsList,
      warnings: async () => (await import("./history/warnings.ts")).warnings,
    },
  },
  suggest: {
    title: "Suggestions and subscriptions",
    verbs: {
      suggest: async () => (await import("./suggest/suggest.ts")).suggest,
      "suggest stats": async () => (await import("./suggest/stats.ts")).suggestStats,
      "suggest log": async () => (await import("./suggest/log.ts")).suggestLog,
      feedback: async () => (await import("./suggest/feedback.ts")).feedback,
      subscribe: async () => (await import("./suggest/subscribe.ts")).subscribe,
      unsubscribe: async () => (await import("./suggest/subscriptions.ts")).unsubscribe,
      subscriptions: async () => (await import("./suggest/subscriptions.ts")).subscriptions,
      "subscriptions enable": async () => (await import("./suggest/subscriptions.ts")).enableSubscription,
      "subscriptions disable": async () => (await import("./suggest/subscriptions.ts")).disableSubscription,
      "subscriptions poll": async () => (await import("./suggest/subscriptions_poll.ts")).pollSubscriptions,
      "subscriptions deliver": async () => (await import("./suggest/subscriptions_deliver.ts")).deliverSubscriptions,
      "subscriptions dead": async () => (await import("./suggest/subscriptions_deliver.ts")).deadDeliveries,
    },
  },
  memory: {
    title: "Memory",
    verbs: {
      pin: async () => (await import("./memory/pin.ts")).pin,
      pins: async () => (await import("./memory/pin.ts")).pins,
      unpin: async () => (await import("./memory/pin.ts")).unpin,
      note: async () => (await import("./memory/note.ts")).note,
      notes: async () => (await import("./memory/note.ts")).notes,
      "notes rm": async () => (await import("./memory/note.ts")).notesRm,
      save: async () => (await import("./memory/save.ts")).save,
      pack: async () => (await import("./memory/pack.ts")).pack,
      compact: async () => (await import("./memory/compact.ts")).compact,
      handoff: async () => (await import("./memory/handoff.ts")).handoff,
    },
  },
  ask: {
    title: "Questions",
    verbs: {
      ask: async () => (await import("./ask/ask.ts")).ask,
      "ask test": async () => (await import("./ask/ask_test.ts")).askTest,
    },
  },
  batch: {
    title: "Batches and workflows",
    verbs: {
      "batch plan": async () => (await import("./batch/plan.ts")).batchPlan,
      "batch collect": async () => (await import("./batch/collect.ts")).batchCollect,
      "workflow summarize": async () => (await import("./batch/workflow_summarize.ts")).workflowSummarize,
      "workflow extract-rules": async () => (await import("./batch/workflow_rules.ts")).workflowRules,
      "workflow preferences": async () => (await import("./batch/workflow_preferences.ts")).workflowPreferences,
    },
  },
  usage: {
    title: "Usage and cost",
    verbs: {
      usage: async () => (await import("./usage/usage.ts")).usage,
      "usage blocks": async () => (await import("./usage/blocks.ts")).usageBlocks,
    },
  },
  agents: {
    title: "Agents",
    verbs: {
      install: async () => (await import("./agents/install.ts")).install,
      uninstall: async () => (await import("./agents/uninstall.ts")).uninstall,
      hooks: async () => (await import("./agents/hooks.ts")).hooks,
      "hooks on": async () => (await import("./agents/hooks.ts")).hooksOn,
      "hooks off": async () => (await import("./agents/hooks.ts")).hooksOff,
      "chat list": async () => (await import("./agents/chat_list.ts")).chatList,
      "chat rm": async () => (await import("./agents/chat_rm.ts")).chatRm,
    },
  },
  team: {
    title: "Team",
    verbs: {
      push: async () => (await import("./team/push.ts")).push,
      "team create": async () => (await import("./team/create.ts")).teamCreate,
      "team invite": async () => (await import("./team/people.ts")).teamInvite,
      "team join": async () => (await import("./team/join.ts")).teamJoin,
      "team leave": async () => (await import("./team/join.ts")).teamLeave,
      "team members": async () => (await import("./team/people.ts")).teamMembers,
      "team role": async () => (await import("./team/people.ts")).teamRole,
      "team revoke": async () => (await import("./team/people.ts")).teamRevoke,
      "team share": async () => (await import("./team/share.ts")).teamShare,
      "team unshare": async () => (await import("./team/share.ts")).teamUnshare,
      "team status": async () => (await import("./team/status.ts")).teamStatus,
      "team review": async () => (await import("./team/review.ts")).teamReview,
      "team index": async () => (await import("./team/push.ts")).teamIndex,
      "team settings": async () => (await import("./team/administer.ts")).teamSettings,
      "team audit": async () => (await import("./team/administer.ts")).teamAudit,
      "team purge": async () => (await import("./team/administer.ts")).teamPurge,
      "team gateway": async () => (await import("./team/create.ts")).teamGateway,
      "team upgrade": async () => (await import("./team/create.ts")).teamUpgrade,
      "team try": async () => (await import("./team/try.ts")).teamTry,
    },
  },
  upkeep: {
    title: "Upkeep and settings",
    verbs: {
      sync: async () => (await import("./upkeep/sync.ts")).sync,
      refresh: async () => (await import("./upkeep/refresh.ts")).refresh,
      doctor: async () => (await import("./upkeep/doctor.ts")).doctor,
      "config list": async () => (await import("./upkeep/config/list.ts")).configList,
      "config get": async () => (await import("./upkeep/config/get.ts")).configGet,
      "config set": async () => (await import("./upkeep/config/set.ts")).configSet,
      "config reset": async () => (await import("./upkeep/config/reset.ts")).configReset,
      "config path": async () => (await import("./upkeep/config/path.ts")).configPath,
      export: async () => (await import("./upkeep/export.ts")).exportConversations,
      import: async () => (await import("./upkeep/import.ts")).importFile,
      forget: async () => (await import("./upkeep/forget.ts")).forget,
      reindex: async () => (await import("./upkeep/reindex.ts")).reindex,
      gc: async () => (await import("./upkeep/gc.ts")).gc,
      traces: async () => (await import("./upkeep/traces.ts")).traces,
      trace: async () => (await import("./upkeep/trace.ts")).trace,
    },
  },
} satisfies Readonly<Record<VerbFamily, FamilyDefinition>>;

/** Every operation by its name: a function that loads its definition. */
export const operations = {
  ...FAMILIES.conversations.verbs,
  ...FAMILIES.docs.verbs,
  ...FAMILIES.code.verbs,
  ...FAMILIES.history.verbs,
  ...FAMILIES.suggest.verbs,
  ...FAMILIES.memory.verbs,
  ...FAMILIES.ask.verbs,
  ...FAMILIES.batch.verbs,
  ...FAMILIES.usage.verbs,
  ...FAMILIES.agents.verbs,
  ...FAMILIES.team.verbs,
  ...FAMILIES.upkeep.verbs,
};

/** The same for names that are not known when dex is compiled. */
export const OPERATIONS: Readonly<Record<string, Loader>> = Object.freeze(operations);

/** Other words that people type for a verb: `dex_get` is the tool of `dex show`. */
export const VERB_ALIASES: Readonly<Record<string, string>> = { get: "show" };

/** The family of a verb, or of the first word that several verbs share: both `docs` and `docs add` are in `docs`. */
export function familyOfVerb(command: string): VerbFamily | undefined {
  return FAMILY_NAMES.find((family) =>
    Object.keys(FAMILIES[family].verbs).some((verb) => verb === command || verb.startsWith(`${command} `)),
  );
}
