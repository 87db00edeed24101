/**
 * The file and the DNS record of draft-ietf-mailmaint-pacc. A program believes the file only when the SHA-256 of its bytes is in
 * DNS, so the bytes stay the same until a setting of the installation changes.
 */
import { createHash } from 'node:crypto'
import type { MailServer } from './mail-server.ts'

const IMAPS = 993
const SUBMISSIONS = 465

/** null: the draft has no place for a port, so it cannot say where this server is. */
export const paccJson = (server: MailServer): string | null => {
  const { host, imapsPort, submissionsPort, name, helpUrl } = server
  if (imapsPort !== IMAPS || submissionsPort !== SUBMISSIONS) return null
  const file = {
    protocols: { imap: { host }, smtp: { host } },
    authentication: { password: true },
    info: { provider: { name, shortName: name }, help: { documentation: helpUrl } },
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The text of `_ua-auto-config.{domain}`. */
export const paccRecord = (json: string): string =>
  `v=UAAC1; a=sha256; d=${createHash('sha256').update(json).digest('base64')}`
