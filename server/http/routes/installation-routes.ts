import { X509Certificate } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SANDBOX_PATH } from '#contract/dns/sandbox.ts'
import { getInstallation, getInstallationFaults, type MailServer } from '#contract/installation.ts'
import type { App } from '#server/app.ts'
import { priceOf } from '#server/features/billing/price.ts'
import { installationFaults } from '#server/features/domains/installation-faults.ts'
import { hidesRecords, trialSettings } from '#server/features/domains/trial.ts'
import { settingsNow, startSettings } from '#server/features/operators/chosen-settings.ts'
import { isSelfSigned } from '#server/lib/tls/sign-message.ts'
import { serve } from '../exchange/serve.ts'

const GOOGLE = 'https://accounts.google.com'

/** What the reader of a page types into a program, on the computer where the page is open. */
const mailServerHere = async ({ config, certificates }: App): Promise<MailServer> => {
  const { imapsPort, imapPort, submissionsPort, submissionPort, mailHost } = config
  await certificates.load()
  const usual = certificates.usual()
  return {
    host: config.isLocal ? '127.0.0.1' : mailHost,
    fingerprint: isSelfSigned(usual) ? new X509Certificate(usual.cert).fingerprint256 : null,
    ...{ imapsPort, imapPort, submissionsPort, submissionPort },
  }
}

/** While the database is away, pages open all the same (decision 035). */
const chosenHere = async (app: App) => {
  const isAway = app.readiness.missing().includes('database')
  const { signUp, domainMailboxLimit } = isAway ? startSettings(app) : await settingsNow(app)
  return { signUp, mailboxLimit: domainMailboxLimit }
}

export const registerInstallationRoutes = (server: FastifyInstance, app: App): void => {
  const { billing, google, termsUrl, privacyUrl } = app.config
  const { operatorName, operatorContact, isLocal, systemMail } = app.config
  serve(server, app, getInstallation, async () => ({
    billing,
    price: billing === 'off' ? null : priceOf(app.config),
    ...(await chosenHere(app)),
    ...{ termsUrl, privacyUrl, operatorName, operatorContact },
    google: google !== null,
    googleIsGoogle: google?.issuer === GOOGLE,
    trial: trialSettings(app.config),
    hidesRecords: hidesRecords(app.config),
    keepsSystemMail: isLocal && systemMail === 'outbox',
    mailServer: await mailServerHere(app),
    sandboxDns: server.servedRoutes.some(({ path }) => path === SANDBOX_PATH),
  }))
  serve(server, app, getInstallationFaults, async (_input, who) => ({
    faults: await installationFaults(app, who),
  }))
}
