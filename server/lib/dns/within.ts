/** The result of `work`, or `otherwise` when it has not come by then; the work goes on unheard. */
export const within = async <T>(giveUpAtMs: number, work: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((done) => {
    timer = setTimeout(() => done(otherwise), Math.max(0, giveUpAtMs - Date.now()))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
