/** Makes the examples of the document from its own schemas, with values that people would meet. */

import { valuesByName, valuesByShape } from './example-values.ts'
import { type JsonSchema, nameIn } from './json-schema.ts'

type Components = Record<string, JsonSchema>
type Place = { name: string; depth: number }

/** Objects within objects; a shape that holds itself ends here. */
const MAX_DEPTH = 8

/** `name`: of the property, the parameter or the operation that the schema stands for. */
export const exampleOf = (schema: JsonSchema, components: Components, name = ''): unknown =>
  make(schema, components, { name, depth: 0 })

const make = (schema: JsonSchema, components: Components, place: Place): unknown => {
  const component = nameIn(schema)
  if (component !== null) {
    const target = components[component]
    if (target === undefined) throw new Error(`there is no schema ${component}`)
    return make(target, components, target.properties ? { ...place, name: component } : place)
  }
  if (schema.const !== undefined) return schema.const
  const known = valuesByName[place.name]
  if (known !== undefined && fits(known, schema, components)) return known
  if (schema.enum) return schema.enum[0]
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')
  if (choice) return make(choice, components, place)
  if (schema.type === 'object') return objectOf(schema, components, place)
  if (schema.type === 'array') return listOf(schema, components, place)
  return plainOf(schema, place.name)
}

const objectOf = (schema: JsonSchema, components: Components, { name, depth }: Place) => {
  const given = valuesByShape[name] ?? {}
  const entries = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (key in given) return given[key] === undefined ? [] : [[key, given[key]]]
    if (depth > MAX_DEPTH && !schema.required?.includes(key)) return []
    return [[key, make(property, components, { name: key, depth: depth + 1 })]]
  })
  return Object.fromEntries(entries)
}

const listOf = (schema: JsonSchema, components: Components, { name, depth }: Place) =>
  depth > MAX_DEPTH || !schema.items || schema.maxItems === 0
    ? []
    : [make(schema.items, components, { name: singular(name), depth: depth + 1 })]

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '')

const formats: Record<string, string> = {
  uuid: '0193a6c0-2f1e-7c44-9d8b-1f2e3a4b5c6d',
  'date-time': '2026-11-27T09:30:00.000Z',
  date: '2026-11-27',
  uri: 'https://example.com/',
  binary: '(the bytes of the file)',
}

const plainOf = (schema: JsonSchema, name: string): unknown => {
  const [type] = [schema.type ?? []].flat().filter((each) => each !== 'null')
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'string') return formats[schema.format ?? ''] ?? wordsOf(name, schema.minLength)
  return type === undefined ? null : {}
}

/** 'operatorContact': 'operator contact'. */
const wordsOf = (name: string, minLength = 0): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).padEnd(minLength, '.')

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Whether a value of the table can stand here: the same word may be a number in one shape and a list in another. */
const fits = (value: unknown, schema: JsonSchema, components: Components): boolean => {
  const component = nameIn(schema)
  if (component !== null) return fits(value, components[component] ?? {}, components)
  if (schema.anyOf) return schema.anyOf.some((each) => fits(value, each, components))
  if (schema.enum) return schema.enum.includes(value)
  if (Array.isArray(value) && schema.items)
    return value.every((item) => fits(item, schema.items ?? {}, components))
  const type = typeOf(value)
  if (type === 'string') return fitsText(String(value), schema)
  if (type === 'object')
    return (
      schema.type === 'object' &&
      (schema.required ?? []).every((key) => Object.hasOwn(Object(value), key))
    )
  const types = [schema.type ?? []].flat()
  return types.includes(type) || (types.includes('integer') && Number.isInteger(value))
}

const fitsText = (text: string, { type, format, minLength = 0, pattern }: JsonSchema): boolean => {
  if (![type].flat().includes('string') || text.length < minLength) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false
  if (format === 'uuid') return /^[0-9a-f-]{36}$/.test(text)
  return format !== 'date-time' || /T.*Z$/.test(text)
}
