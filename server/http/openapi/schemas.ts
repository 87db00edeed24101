/** Shapes of the contract as JSON Schema: named ones become components, which every operation refers to. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { COMPONENTS, type JsonSchema } from './json-schema.ts'
import type { ShapeNames } from './shape-names.ts'

export type Schemas = {
  components: Record<string, JsonSchema>
  /** input: what a caller may send; output: what an answer holds. */
  of: (shape: z.ZodType, io: 'input' | 'output') => JsonSchema
}

export const openSchemas = (names: ShapeNames): Schemas => {
  const components: Record<string, JsonSchema> = {}
  const keep = (name: string, schema: JsonSchema) => {
    const known = components[name]
    if (known && !isDeepStrictEqual(known, schema))
      throw new Error(`${name} is sent and answered in two forms: give each a name in the contract`)
    components[name] = schema
  }
  return {
    components,
    of: (shape, io) => {
      const printed = z.toJSONSchema(shape, {
        ...{ io, metadata: names, unrepresentable: 'any' },
        override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, io),
      })
      // The dialect is the one of OpenAPI 3.1 itself, so it is not repeated in every schema.
      const { $schema: _dialect, $defs = {}, ...schema } = withRefs(printed)
      for (const [name, each] of Object.entries($defs)) keep(name, each)
      return schema
    },
  }
}

type Printed = JsonSchema & { $schema?: string; $defs?: Record<string, JsonSchema> }

/** Definitions of the one schema become components of the document. */
const withRefs = (printed: unknown): Printed =>
  JSON.parse(JSON.stringify(printed), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', COMPONENTS) : value,
  )

/** Leaves out what says nothing to a reader: patterns of a known format, and the limits of every whole number. */
const tidy = (schema: JsonSchema, io: 'input' | 'output'): void => {
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A later version may answer more fields: a client that refuses those would break.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // Decisions are for readers of the code.
  if (schema.description)
    schema.description = schema.description.replace(/ ?\(decisions? [\d, and]+\)/g, '')
}
