import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { QrCode } from '#web/ui/data/qr-code.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import type { Account } from './programs.ts'

type Row = { name: string; value: string; copied?: true }

/** TLS from the first byte; the older ports stand below, for programs that know no other. */
const partsOf = ({ email, server }: Account): { title: string; rows: Row[] }[] => [
  {
    title: 'Sign-in',
    rows: [
      { name: 'User name', value: email, copied: true },
      { name: 'Password', value: 'An app password' },
    ],
  },
  {
    title: 'Incoming mail (IMAP)',
    rows: [
      { name: 'Server', value: server.host, copied: true },
      { name: 'Port', value: String(server.imapsPort) },
      { name: 'Security', value: 'SSL/TLS' },
    ],
  },
  {
    title: 'Outgoing mail (SMTP)',
    rows: [
      { name: 'Server', value: server.host, copied: true },
      { name: 'Port', value: String(server.submissionsPort) },
      { name: 'Security', value: 'SSL/TLS' },
    ],
  },
]

const asText = (account: Account): string =>
  partsOf(account)
    .flatMap(({ title, rows }) => [title, ...rows.map(({ name, value }) => `${name}: ${value}`)])
    .join('\n')

type SettingsCardProps = { account: Account; isOnPhone: boolean }

export function SettingsCard({ account, isOnPhone }: SettingsCardProps) {
  const { server } = account
  return (
    <Card>
      <CardHeader
        title="All settings"
        description="For whatever a program asks"
        aside={<CopyButton text={asText(account)} label="Copy all settings" />}
      />
      <div className="grid gap-4 px-5 pb-5">
        {partsOf(account).map(({ title, rows }) => (
          <section key={title} aria-label={title} className="grid gap-1">
            <h3 className="font-medium text-sm">{title}</h3>
            <dl className="grid">
              {rows.map(({ name, value, copied }) => (
                <div key={name} className="flex min-h-8 items-center gap-2 text-sm">
                  <dt className="w-20 shrink-0 text-soft">{name}</dt>
                  <dd className="wrap-anywhere min-w-0 flex-1">{value}</dd>
                  {copied && (
                    <dd>
                      <CopyButton text={value} label={`Copy ${name.toLowerCase()}: ${title}`} />
                    </dd>
                  )}
                </div>
              ))}
            </dl>
          </section>
        ))}
        <div>
          <Disclosure label="Ports with STARTTLS">
            <p className="px-1 pt-1 text-soft text-sm">
              For programs that know no SSL/TLS from the start: incoming mail at port{' '}
              {server.imapPort}, outgoing mail at port {server.submissionPort}, both with STARTTLS.
            </p>
          </Disclosure>
        </div>
        {isOnPhone && (
          <div className="flex items-center gap-4 border-line border-t pt-4 max-md:hidden">
            <QrCode
              text={asText(account)}
              aria-label="QR code of the settings"
              className="size-32 p-3"
            />
            <p className="text-soft text-sm">Scan it on the phone to copy the settings there.</p>
          </div>
        )}
      </div>
    </Card>
  )
}
