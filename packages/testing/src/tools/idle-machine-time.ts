const sampleMs = 30;

/**
 * Scales a measured time in milliseconds to an idle machine: divides it by the wall-clock time that a computation needs
 * just now for each millisecond of processor time. With a free core that is 1. A promise about seconds is about the
 * product, not about the other tests of the machine.
 */
export function scaleToIdleMachine(elapsedMs: number): number {
  const [began, used] = [performance.now(), process.threadCpuUsage()];
  let cpuMs = 0;
  while (cpuMs < sampleMs) {
    const { user, system } = process.threadCpuUsage(used);
    cpuMs = (user + system) / 1000;
  }
  return elapsedMs / Math.max(1, (performance.now() - began) / cpuMs);
}
