/** How long work keeps this thread computing. A busy machine lengthens the time by the clock, and not this one (decision 055). */

/** In milliseconds of the processor, with what else this thread does before the work has ended. */
export const computingMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
