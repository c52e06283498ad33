/** All verbs, each loaded only when it is used. */
import type { Operation } from "./operation.ts";

type Loader = () => Promise<Operation>;

export const OPERATIONS: Readonly<Record<string, Loader>> = {
  sync: async () => (await import("./sync.ts")).sync,
  stats: async () => (await import("./stats.ts")).stats,
  list: async () => (await import("./list.ts")).list,
  index: async () => (await import("./index.ts")).index,
  search: async () => (await import("./search.ts")).search,
  fix: async () => (await import("./fix.ts")).fix,
  how: async () => (await import("./how.ts")).how,
  show: async () => (await import("./show.ts")).show,
  scan: async () => (await import("./scan.ts")).scan,
  read: async () => (await import("./read.ts")).read,
  timeline: async () => (await import("./timeline.ts")).timeline,
  get: async () => (await import("./get.ts")).get,
  export: async () => (await import("./export.ts")).exportConversations,
  import: async () => (await import("./import.ts")).importFile,
  forget: async () => (await import("./forget.ts")).forget,
  reindex: async () => (await import("./reindex.ts")).reindex,
  traces: async () => (await import("./traces.ts")).traces,
  trace: async () => (await import("./trace.ts")).trace,
  gc: async () => (await import("./gc.ts")).gc,
  "batch plan": async () => (await import("./batch_plan.ts")).batchPlan,
  "batch collect": async () => (await import("./batch_collect.ts")).batchCollect,
  "workflow summarize": async () => (await import("./workflow_summarize.ts")).workflowSummarize,
  "workflow extract-rules": async () => (await import("./workflow_rules.ts")).workflowRules,
  "workflow preferences": async () => (await import("./workflow_preferences.ts")).workflowPreferences,
  "chat list": async () => (await import("./chat_list.ts")).chatList,
  "chat rm": async () => (await import("./chat_rm.ts")).chatRm,
  "code index": async () => (await import("./code_index.ts")).codeIndex,
  code: async () => (await import("./code.ts")).code,
  doctor: async () => (await import("./doctor.ts")).doctor,
  install: async () => (await import("./install.ts")).install,
  uninstall: async () => (await import("./uninstall.ts")).uninstall,
};
