/** What the operator does with certificates from a terminal, also while the program runs. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import {
  type ListedCertificate,
  makeDue,
  readCertificates,
  wantRevocation,
} from './certificates-store.ts'

type Place = Pick<App, 'db' | 'clock'>

/** One line each, our own first. */
export const listCertificates = async ({ db }: Place): Promise<string[]> =>
  (await readCertificates(db)).map(lineOf)

const lineOf = ({ name, expiresAt, nextLookAt, trouble }: ListedCertificate): string => {
  const has = expiresAt === null ? 'none' : `until ${expiresAt.toISOString()}`
  const next = `next look ${nextLookAt.toISOString()}`
  return [name, has, next, ...(trouble === '' ? [] : [trouble])].join('  ')
}

/** After the trouble was mended. @throws NOT_EXISTS */
export const askAgain = async ({ db, clock }: Place, name: string): Promise<void> => {
  if (!(await makeDue(db, name, clock.now()))) throw new AppError('NOT_EXISTS')
}

/** Its key is known to others. @throws NOT_EXISTS */
export const revokeLater = async ({ db, clock }: Place, name: string): Promise<void> => {
  const isThere = await wantRevocation(db, name, 'keyCompromise', clock.now())
  if (!isThere) throw new AppError('NOT_EXISTS')
}
