// For tests of what must not take long: what else a busy machine does meanwhile is not counted.

/** How long the processor was at work for it, in ms. */
export function cpuMsOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
