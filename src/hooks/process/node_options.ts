/** Whether Node may have preloaded a program that hooks into promises, or that has work to do when the process ends. */
export function hasNodeOptions(): boolean {
  return process.execArgv.length > 0 || Boolean(process.env.NODE_OPTIONS);
}
