import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import type { Account } from './programs.ts'

export function TroublesCard({ mailbox, account }: { mailbox: Mailbox; account: Account }) {
  const { email, server } = account
  const settings = `${paths.mailboxSettings({ mailbox: mailbox._id })}#app-passwords`
  return (
    <Card>
      <CardHeader title="When it does not work" />
      <dl className="grid gap-4 px-5 pb-5 text-sm [&_dd]:wrap-anywhere [&_dd]:text-soft [&_dt]:font-medium">
        <div className="grid gap-1">
          <dt>It says that the password is wrong</dt>
          <dd>
            <ul className="grid list-disc gap-1 pl-4">
              <li>
                Use an app password: it is typed without mistakes, and ends alone when a device is
                lost.
              </li>
              <li>The user name is the whole address, {email}, for incoming and outgoing mail.</li>
              <li>
                Paste the password anew. It may have been ended:{' '}
                <Link to={settings} className="text-accent-ink underline underline-offset-4">
                  your app passwords
                </Link>
                .
              </li>
              <li>After many wrong ones, wait a quarter of an hour.</li>
            </ul>
          </dd>
        </div>
        <div className="grid gap-1">
          <dt>It does not reach the server</dt>
          <dd>
            Compare {server.host} and the ports. Some guest networks let no mail through: try
            another.
          </dd>
        </div>
        <div className="grid gap-1">
          <dt>It does not trust the certificate</dt>
          {server.fingerprint === null ? (
            <dd>Type the server as it stands here: the certificate is for {server.host}.</dd>
          ) : (
            <dd>
              This server made its certificate itself. Let the program trust it when it shows this
              SHA-256 fingerprint: <code className="text-xs">{server.fingerprint}</code>
            </dd>
          )}
        </div>
        <div className="grid gap-1">
          <dt>It reads mail, and cannot send</dt>
          <dd>
            Outgoing mail needs the same user name and password. The sender must be {email} or one
            of its aliases.
          </dd>
        </div>
      </dl>
    </Card>
  )
}
