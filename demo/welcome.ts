import { paths } from '#web/paths.ts'
import { say } from './run-until-stopped.ts'
import { PASSWORD, type Team } from './sample/people.ts'

type Addresses = {
  dashboardUrl: string
  smtpPort: number
  imapsPort: number
  submissionsPort: number
  outboxUrl: string
  /** null: invoices are paid by hand. */
  cardsUrl: string | null
}

export const sayWelcome = (
  { emails }: Team,
  { dashboardUrl, smtpPort, imapsPort, submissionsPort, outboxUrl, cardsUrl }: Addresses,
): void => {
  for (const line of [
    '',
    `The demo is ready: ${dashboardUrl}`,
    '',
    `  E-mail        ${emails.Admin}`,
    `  Password      ${PASSWORD}`,
    `  Also          ${emails.Editor} (Editor) and ${emails.User} (User), with the same password`,
    '',
    `  Sandbox DNS   ${dashboardUrl}${paths.sandboxDns()}`,
    `  System mails  ${outboxUrl}`,
    `  Mail comes in 127.0.0.1:${smtpPort}`,
    `  Mail programs 127.0.0.1:${imapsPort} to read (IMAP), 127.0.0.1:${submissionsPort} to send, both over TLS with an app`,
    '                password of a mailbox; its page Mail programs shows the rest',
    ...(cardsUrl === null ? [] : [`  Instead of Stripe ${cardsUrl}`]),
    '',
    'Add a domain such as my-company.example, publish its records in Sandbox DNS and verify it.',
    'Write to mara@harbourlight.example: she answers. Nothing leaves this computer.',
    ...(cardsUrl === null
      ? ['Card payments: BILLING=stripe npm run demo shows them, without an account at Stripe.']
      : [
          'Pay Now on the page Mailboxes leads to a page that stands in for Stripe. Its front page lists the payments, and',
          'its buttons bring the invoice of the next month. No money moves.',
        ]),
    'Ctrl+C ends the demo and removes all of it.',
  ])
    say(line)
}
