/** The names of shapes in the OpenAPI document: an exported shape of `contract/` has the name of its export. */
import { readdir } from 'node:fs/promises'
import { z } from 'zod'

const contract = new URL('../../../contract/', import.meta.url)

/** What a client generator makes a type of. Other exports are fields, which stand where they are used. */
const isShape = (value: unknown): value is z.ZodType =>
  value instanceof z.ZodObject || value instanceof z.ZodEnum || value instanceof z.ZodUnion

/** Descriptions from the shapes, names from here. */
class ShapeNames extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType) {
    const own = super.get(schema)
    const described = z.globalRegistry.get(schema)
    return own || described ? { ...described, ...own } : undefined
  }
}

export type { ShapeNames }

/** @throws when two shapes have one name: a client could not tell them apart */
export const nameShapes = async (): Promise<ShapeNames> => {
  const names = new ShapeNames()
  const taken = new Map<string, unknown>()
  for (const file of (await readdir(contract, { recursive: true })).toSorted()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const exports: Record<string, unknown> = await import(
      /* @vite-ignore */ `../../../contract/${file}`
    )
    for (const [name, shape] of Object.entries(exports)) {
      if (!isShape(shape)) continue
      const id = name.charAt(0).toUpperCase() + name.slice(1)
      const other = taken.get(id)
      if (other !== undefined && other !== shape)
        throw new Error(`two shapes of the contract are named ${name}; one is in ${file}`)
      taken.set(id, shape)
      names.add(shape, { id })
    }
  }
  return names
}
