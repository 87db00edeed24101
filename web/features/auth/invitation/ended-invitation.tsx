import { Link } from 'react-router'
import { INVITATION_DAYS, type OpenedInvitation } from '#contract/workspace/invitations.ts'
import { useSession } from '#web/lib/api/session.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading } from '../parts/auth-heading.tsx'

type Ended = Exclude<OpenedInvitation['type'], 'OPEN'> | 'BROKEN'

const texts: Record<Ended, readonly [title: string, text: string]> = {
  EXPIRED: [
    'This invitation has expired',
    `Invitations work for ${INVITATION_DAYS} days. Ask whoever invited you to send it again.`,
  ],
  REVOKED: [
    'This invitation was withdrawn',
    'Whoever invited you took it back. Ask them if you think that this is a mistake.',
  ],
  DECLINED: [
    'This invitation was declined',
    'If you have changed your mind, ask to be invited again.',
  ],
  USED: [
    'This invitation has been used',
    'It works once. If that was you, you are in: the workspace is in the list at the top of the menu.',
  ],
  BROKEN: [
    'This invitation link is not valid',
    'A part of it may have been lost. Open it from the mail once more, or ask whoever invited you to send a new one.',
  ],
}

/** Nobody can join by it any more; the way on is one's own dashboard. */
export function EndedInvitation({ type }: { type: Ended }) {
  const isSignedIn = useSession().status === 'signed-in'
  const [title, text] = texts[type]
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <Button asChild size="large" className="w-full">
        {isSignedIn ? (
          <Link to={paths.dashboard()}>Go to your dashboard</Link>
        ) : (
          <Link to={paths.login()}>Go to login</Link>
        )}
      </Button>
    </>
  )
}
