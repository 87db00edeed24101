import { useId } from 'react'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { type Reference, resolved, type Schema } from './openapi-document.ts'

type Schemas = Reference['schemas']

/** In words: 'string, up to 50 characters', 'list of Domain', 'Domain or null'. */
export const typeText = (schema: Schema, schemas: Schemas): string => {
  const [target, name] = resolved(schema, schemas)
  if (name !== null && !target.enum) return name
  const choices = target.anyOf ?? target.oneOf
  if (choices) return choices.map((each) => typeText(each, schemas)).join(' or ')
  if (target.const !== undefined) return JSON.stringify(target.const)
  if (target.enum) return target.enum.map((value) => JSON.stringify(value)).join(', ')
  if (target.type === 'array') return `list of ${typeText(target.items ?? {}, schemas)}`
  const type = [target.type ?? 'any value'].flat().join(' or ')
  return [type, ...limitsOf(target)].join(', ')
}

const limitsOf = ({ format, minLength, maxLength, minimum, maximum }: Schema): string[] => [
  ...(format === undefined ? [] : [format]),
  ...(minLength === undefined ? [] : [`from ${minLength} characters`]),
  ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
  ...(minimum === undefined ? [] : [`from ${minimum}`]),
  ...(maximum === undefined ? [] : [`up to ${maximum}`]),
]

/** The shape within a list, a choice or a name; null: it has no fields. */
const shapeIn = (schema: Schema, schemas: Schemas): Schema | null => {
  const [target] = resolved(schema, schemas)
  if (target.properties) return target
  if (target.items) return shapeIn(target.items, schemas)
  for (const each of target.anyOf ?? target.oneOf ?? []) {
    const inner = shapeIn(each, schemas)
    if (inner) return inner
  }
  return null
}

type SchemaFieldsProps = { schema: Schema; schemas: Schemas; depth?: number }

/** Shapes within shapes open one by one: some hold themselves. */
const MOST_DEPTH = 6

export function SchemaFields({ schema, schemas, depth = 0 }: SchemaFieldsProps) {
  const shape = shapeIn(schema, schemas)
  if (!shape) return <p className="text-soft text-sm">{typeText(schema, schemas)}</p>
  return (
    <ul className="divide-y divide-line">
      {Object.entries(shape.properties ?? {}).map(([name, field]) => (
        <SchemaField
          key={name}
          {...{ name, field, schemas, depth }}
          isRequired={shape.required?.includes(name) ?? false}
        />
      ))}
    </ul>
  )
}

type SchemaFieldProps = {
  name: string
  field: Schema
  schemas: Schemas
  depth: number
  isRequired: boolean
}

function SchemaField({ name, field, schemas, depth, isRequired }: SchemaFieldProps) {
  const id = useId()
  const hasFields = depth < MOST_DEPTH && shapeIn(field, schemas) !== null
  return (
    <li className="py-2.5">
      <p id={id} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <code className="wrap-anywhere font-medium text-sm">{name}</code>
        <span className="wrap-anywhere text-soft text-xs">{typeText(field, schemas)}</span>
        {!isRequired && <span className="text-soft text-xs">optional</span>}
      </p>
      {field.description && <p className="mt-0.5 text-pretty text-sm">{field.description}</p>}
      {hasFields && (
        <Disclosure label={`Fields of ${name}`} className="mt-1 text-sm">
          <div className="border-line border-l pl-4">
            <SchemaFields schema={field} schemas={schemas} depth={depth + 1} />
          </div>
        </Disclosure>
      )}
    </li>
  )
}
