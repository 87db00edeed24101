/** Joins of tables of workspaces that do not name the workspace: under a distributing PostgreSQL they would look on every machine. */
import { snake } from './table-owners.ts'

export type Source = { path: string; text: string }

/** A query that others export, such as `mailboxRows(db)`, by its name: the table or the query that it reads. */
const ROWS =
  /export const (\w+) = \([^)]*\)[^=]*=>\s*(?:\{[\s\S]{0,300}?return )?\s*\(?\s*db\s*\.selectFrom\((?:'(\w+)|(\w+)\()/g

const IN_KYSELY = /\.(?:inner|left|right|full|cross)(?:Lateral)?Join\(/g
const WHAT = /^\(\s*(?:'(\w+)|(\w+)\()/
const IN_SQL =
  /\bjoin (?:lateral )?(?:(\w+)\b|\$\{(\w+)\([^}]*\)\})(?: as)?(?: (?!on\b|using\b)\w+)?\s+(?:on|using)\b([\s\S]*?)(?=\b(?:left|inner|cross|join|where|group|order|limit|union|returning|set|select)\b|`|;|$)/g

/** The paths, once for each such join. `tables`: those of workspaces, in PostgreSQL's spelling. */
export const joinsWithout = (tables: ReadonlySet<string>, sources: readonly Source[]): string[] => {
  const rows = new Map(
    sources.flatMap(({ text }) =>
      [...text.matchAll(ROWS)].map(([, name = '', table, query]) => [name, table ?? query ?? '']),
    ) as [string, string][],
  )
  const isOfWorkspaces = (name = ''): boolean => {
    const of = rows.get(name)
    return of === undefined ? tables.has(snake(name)) : isOfWorkspaces(of)
  }
  return sources.flatMap(({ path, text }) => {
    const inKysely = [...text.matchAll(IN_KYSELY)]
      .map(({ 0: start, index }) => inBrackets(text, index + start.length - 1))
      .filter((call) => {
        const [, table, query] = WHAT.exec(call) ?? []
        return isOfWorkspaces(table ?? query) && !/workspaceId|workspace_id/.test(call)
      })
    const inSql = [...text.matchAll(IN_SQL)].filter(
      ([, table, query, on = '']) => isOfWorkspaces(table ?? query) && !/workspace_id/.test(on),
    )
    return [...inKysely, ...inSql].map(() => path)
  })
}

const inBrackets = (text: string, start: number): string => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(start, at + 1)
  }
  return ''
}
