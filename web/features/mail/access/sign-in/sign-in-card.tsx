/** Who signs in with the address of a mailbox, and the link with which they set their password. */
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { MailboxAccess } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Moment } from '../moment.tsx'
import { EndAccessButton } from './end-access-button.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { WaitingLink } from './waiting-link.tsx'

export function SignInCard({ mailbox, access }: { mailbox: Mailbox; access: MailboxAccess }) {
  const [isMaking, setIsMaking] = useState(false)
  const { holder, link, canSetUp } = access
  const isMaker = access.readers.some(({ how, isYou }) => isYou && how === 'made')
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Sign-in"
        description="Its holder signs in with the address and sees only this mailbox and its settings"
        aside={
          <Status tone={holder ? 'good' : 'neutral'}>
            {holder ? 'Has a holder' : 'No holder'}
          </Status>
        }
      />
      <div className="grid gap-4 px-5 pb-5 text-sm">
        {holder ? (
          <p>
            Somebody signs in as <span className="wrap-anywhere font-medium">{mailbox.email}</span>.
            They set a password <Moment at={holder.since} />
            {holder.lastLoginAt ? (
              <>
                {' '}
                and last logged in <Moment at={holder.lastLoginAt} />.
              </>
            ) : (
              ' and have not logged in yet.'
            )}
            {mailbox.status === 'suspended' && ' The mailbox is suspended: they cannot log in now.'}
          </p>
        ) : (
          <p className="text-soft">
            Nobody signs in with this address. Set up access for its owner: they open a link and
            choose a password, and need no account.
          </p>
        )}
        {link && <WaitingLink mailbox={mailbox} link={link} canWithdraw={canSetUp} />}
        {canSetUp ? (
          <div className="flex flex-wrap gap-2">
            <Button variant={holder ? 'secondary' : 'primary'} onClick={() => setIsMaking(true)}>
              <KeyRound aria-hidden />
              {holder ? 'Reset the password' : link ? 'Make a new link' : 'Set up access'}
            </Button>
            {holder && <EndAccessButton mailbox={mailbox} />}
          </div>
        ) : (
          <p className="text-soft">
            The maker of a link could open it and read the mail. You are not a reader of this
            mailbox, so ask an Admin to make one.
          </p>
        )}
      </div>
      {isMaking && (
        <LinkDialog
          mailbox={mailbox}
          isReset={holder !== null}
          isMaker={isMaker}
          onClose={() => setIsMaking(false)}
        />
      )}
    </Card>
  )
}
