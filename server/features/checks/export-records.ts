/** The records of many domains in one file. */
import { recordTitles } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import { type Separator, spreadsheetText } from '#contract/spreadsheet.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { isOptional } from '#server/features/domains/dns-records.ts'
import { namesOfDomains } from '#server/features/domains/domain-queries.ts'
import { readRecords } from '#server/features/domains/record-queries.ts'
import { requirePublicNames } from '#server/features/domains/trial.ts'
import { openTurns } from '#server/lib/turns/turns.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { domainZoneFile } from './domain-zone-file.ts'

export type RecordsFormat = 'zone' | 'csv'
type Asked = {
  ids: readonly string[]
  format: RecordsFormat
  /** Of the cells (decision 082). */
  separator?: Separator | undefined
}

/** A domain that was never checked is looked up for its zone file: several at once, so that their waits pass together. */
const AT_ONCE = 10

/**
 * By name. Ids that the workspace does not have are left out.
 * @throws NOT_EXISTS when none is left; TRIAL
 */
export const exportRecords = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  { ids, format, separator = ',' }: Asked,
): Promise<{ filename: string; content: string }> => {
  const domains = await namesOfDomains(app.db, workspaceId, ids)
  if (domains.length === 0) throw new AppError('NOT_EXISTS')
  requirePublicNames(app)
  const turns = openTurns(AT_ONCE)
  const write = format === 'zone' ? zoneOf : linesOf(separator)
  const parts = await Promise.all(
    domains.map((domain) => turns.take(() => write(app, workspaceId, domain))),
  )
  return format === 'zone'
    ? { filename: 'dns-records.zone.txt', content: parts.join('\n') }
    : {
        filename: 'dns-records.csv',
        content: [`\uFEFF${HEAD.map(cell).join(separator)}\r\n`, ...parts].join(''),
      }
}

type Named = { id: string; name: string }

const zoneOf = async (app: App, workspaceId: string, { id }: Named): Promise<string> =>
  (await domainZoneFile(app, { workspaceId }, id)).content

const HEAD = ['Domain', 'Record', 'State', 'Type', 'Host', 'Full name', 'Value', 'Priority', 'TTL']

const linesOf =
  (separator: Separator) =>
  async (app: App, workspaceId: string, { id, name }: Named): Promise<string> => {
    const rows = await readRecords(app.db, workspaceId, id)
    return rows
      .filter((row) => !isOptional(row))
      .map((row) => {
        const host = row.name === name ? '@' : row.name.slice(0, -name.length - 1)
        const { purpose, state, type, value, priority, ttl } = row
        const cells = [
          toUnicodeDomain(name),
          recordTitles[purpose],
          state,
          type,
          host,
          row.name,
          value,
        ]
        return `${[...cells, priority ?? '', ttl].map(cell).join(separator)}\r\n`
      })
      .join('')
  }

/** RFC 4180. */
const cell = (value: string | number | undefined): string =>
  `"${spreadsheetText(String(value ?? '')).replaceAll('"', '""')}"`
