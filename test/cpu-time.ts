/** Milliseconds that this thread has calculated: how busy the machine is with other programs does not count. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
