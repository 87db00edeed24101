/** Content lines and components of iCalendar (RFC 5545 section 3.1, 3.4), bounded: a hostile file is read in part. */

export type Property = { name: string; params: Readonly<Record<string, string>>; value: string }
export type Component = { name: string; properties: Property[]; components: Component[] }

const MAX_CHARACTERS = 500_000
const MAX_LINES = 10_000
const MAX_DEPTH = 4
const MAX_PARAMETERS = 50

/** null: the text has no VCALENDAR. */
export const readCalendar = (text: string): Component | null => {
  const root: Component = { name: '', properties: [], components: [] }
  const open: Component[] = [root]
  const lines = text
    .slice(0, MAX_CHARACTERS)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/, MAX_LINES)
  for (const line of lines) {
    const property = readLine(line)
    if (property === null) continue
    const value = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      const component = { name: value, properties: [], components: [] }
      if (open.length <= MAX_DEPTH) open.at(-1)?.components.push(component)
      open.push(component)
    } else if (property.name === 'END') {
      if (open.length > 1) open.pop()
    } else open.at(-1)?.properties.push(property)
  }
  return root.components.find(({ name }) => name === 'VCALENDAR') ?? null
}

const parameter = /;([A-Za-z0-9-]{1,60})=("[^"]*"|[^;:"]*)/y

const readLine = (line: string): Property | null => {
  const [, name] = /^([A-Za-z0-9-]{1,60})(?=[;:])/.exec(line) ?? []
  if (name === undefined) return null
  const params: Record<string, string> = {}
  parameter.lastIndex = name.length
  let end = name.length
  let left = MAX_PARAMETERS
  for (let found = parameter.exec(line); found && left > 0; found = parameter.exec(line)) {
    left -= 1
    params[(found[1] ?? '').toUpperCase()] = (found[2] ?? '').replaceAll('"', '')
    end = parameter.lastIndex
  }
  if (line[end] !== ':') return null
  return { name: name.toUpperCase(), params, value: line.slice(end + 1) }
}

export const propertyOf = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((property) => property.name === name)

/** A value of type TEXT without its escapes (section 3.3.11). */
export const textOf = (component: Component, name: string): string =>
  (propertyOf(component, name)?.value ?? '').replace(/\\([\\;,nN])/g, (_all, escaped: string) =>
    /n/i.test(escaped) ? '\n' : escaped,
  )
