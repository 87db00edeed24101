/** '2026-11-25': the day where the browser is. */
export const localDay = (at: Date): string => {
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${at.getFullYear()}-${month}-${day}`
}
