import { X509Certificate } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Price } from '#contract/billing.ts'
import { SANDBOX_PATH } from '#contract/dns/sandbox.ts'
import { getInstallation, getInstallationFaults, type MailServer } from '#contract/installation.ts'
import type { App } from '#server/app.ts'
import { installationFaults } from '#server/features/domains/installation-faults.ts'
import { hidesRecords, trialSettings } from '#server/features/domains/trial.ts'
import { isSelfSigned } from '#server/lib/tls/sign-message.ts'
import { serve } from '../exchange/serve.ts'

const GOOGLE = 'https://accounts.google.com'

const priceOf = ({ config }: App): Price => ({
  cents: config.mailboxPriceCents,
  currency: config.currency,
  taxName: config.tax.name,
  taxRate: config.tax.rate,
  seller: config.seller.name,
  dueDays: config.invoiceDueDays,
})

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

export const registerInstallationRoutes = (server: FastifyInstance, app: App): void => {
  const { billing, signUp, google, termsUrl, privacyUrl } = app.config
  const { operatorName, operatorContact, isLocal, systemMail } = app.config
  serve(server, app, getInstallation, async () => ({
    billing,
    price: billing === 'off' ? null : priceOf(app),
    mailboxLimit: app.config.domainMailboxLimit,
    signUp,
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
