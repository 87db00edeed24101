import { isIP } from 'node:net'
import type { App } from '#server/app.ts'
import type { MailServer } from '#server/standards/set-up/mail-server.ts'

/** The page of our web app that says how to set a program up. */
const HELP_PATH = '/dashboard/set-up-mail'

/** What mail programs are told of this installation: its names and ports are settings, the same for every domain. */
export const mailServerOf = (config: App['config']): MailServer => {
  const { imapsPort, imapPort, submissionsPort, submissionPort } = config
  const { mailHost, operatorName, publicUrl } = config
  return {
    ...{ imapsPort, imapPort, submissionsPort, submissionPort },
    host: mailHost,
    name: operatorName ?? mailHost,
    webMailUrl: `${publicUrl}/login`,
    helpUrl: `${publicUrl}${HELP_PATH}`,
  }
}

/** The name where our web server answers, for aliases of customers; null: it is known by its address alone. */
export const webHostOf = ({ config }: Pick<App, 'config'>): string | null => {
  const { hostname } = new URL(config.publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null
}

/**
 * Where Thunderbird asks, over TLS, for a domain that publishes nothing but its MX record (decision 100): `autoconfig.` of the
 * domain of MAIL_HOST, which may be the operator's or not. null: MAIL_HOST has no domain.
 */
export const hostForMxOf = ({ config }: Pick<App, 'config'>): string | null => {
  const labels = config.mailHost.split('.')
  return labels.length === 1
    ? null
    : `autoconfig.${labels.slice(labels.length > 2 ? 1 : 0).join('.')}`
}
