/**
 * Preloaded into the service, makes its clock count the CPU time of the process. With one request at a time, Server-Timing
 * then reports the CPU time of each step.
 */
performance.now = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
