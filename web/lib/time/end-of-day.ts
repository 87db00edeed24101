/** The end of this day where the browser is; null without a day. */
export const endOfDay = (day: string): string | null => {
  if (day === '') return null
  const end = new Date(`${day}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}
