/** Which tables and columns the programs of a release use: those that its row types name (decision 049). */
import { readFileSync } from 'node:fs'
import { snake } from '../table-owners.ts'
import type { Uses } from './find-faults.ts'

/** In PostgreSQL's spelling. */
export const usedColumns = (paths: readonly string[]): Uses => {
  const texts = paths
    .filter((path) => path.startsWith('server/') && !path.includes('/migrations/'))
    .map((path) => readFileSync(path, 'utf8'))
  const types = new Map(texts.flatMap(rowTypesIn))
  const [, declared = ''] =
    texts.find((text) => text.includes('type Tables = {'))?.split('type Tables = {') ?? []
  const tables = [...declared.matchAll(/^ {2}(\w+): (\w+Table)$/gm)]
  return Object.fromEntries(
    tables.map(([, table = '', type = '']) => [
      snake(table),
      (types.get(type) ?? missing(type)).join(' '),
    ]),
  )
}

const missing = (type: string): never => {
  throw new Error(`${type} was not found`)
}

const rowTypesIn = (text: string): [type: string, columns: string[]][] =>
  [...text.matchAll(/^(?:export )?type (\w+Table) = \{(?:([^\n]*) \}|(.*?)\n\})$/gms)].map(
    ([, type = '', short = '', long = '']) => [
      type,
      [...(short + long).matchAll(/^ *(\w+)\??: /gm)].map(([, column = '']) => snake(column)),
    ],
  )
