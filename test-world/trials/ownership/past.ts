/** Remembers every domain of a history, to find what deleted domains have left. */
import type { App } from '#server/app.ts'
import type { World } from './world.ts'

type Remembered = { token: string; selectors: string[]; publicKeys: string[] }
type Table = 'domainRecords' | 'domainKeys' | 'mailboxes' | 'missingProofs'

export class Past {
  readonly #known = new Map<string, Remembered>()

  /** Sentences about data of one domain in another, and about remains of a deleted one. */
  async faults({ app, rows }: World): Promise<string[]> {
    const faults: string[] = []
    for (const { id, token } of rows) {
      if (this.#known.has(id)) continue
      const keys = await app.db
        .selectFrom('domainKeys')
        .select(['selector', 'publicKey'])
        .where('domainId', '=', id)
        .execute()
      const selectors = keys.map(({ selector }) => selector)
      const publicKeys = keys.map(({ publicKey }) => publicKey)
      for (const [, other] of this.#known)
        if (other.token === token || publicKeys.some((key) => other.publicKeys.includes(key)))
          faults.push('a domain has a token or key of an earlier one')
      this.#known.set(id, { token, selectors, publicKeys })
    }
    const gone = [...this.#known.keys()].filter((id) => !rows.some((row) => row.id === id))
    if (gone.length === 0) return faults
    const left = await rowsLeft(app, gone)
    return [
      ...faults,
      ...left.map(({ table }) => `${table} still has rows of a domain that is gone`),
    ]
  }
}

const rowsLeft = ({ db }: App, gone: string[]): Promise<{ table: string }[]> => {
  const of = (table: Table) =>
    db
      .selectFrom(table)
      .select((row) => row.val<string>(table).as('table'))
      .where('domainId', 'in', gone)
  return of('domainRecords')
    .union(of('domainKeys'))
    .union(of('mailboxes'))
    .union(of('missingProofs'))
    .execute()
}
