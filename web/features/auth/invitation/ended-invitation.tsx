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
    `Invitations work for ${INVITATION_DAYS} days. Ask the person who invited you to send it again.`,
  ],
  REVOKED: [
    'This invitation was withdrawn',
    'The person who invited you withdrew it. Ask them if you think that this is a mistake.',
  ],
  DECLINED: [
    'This invitation was declined',
    'If you have changed your mind, ask to be invited again.',
  ],
  USED: [
    'This invitation has been used',
    'It works once. If that was you, you have joined: the workspace is in the list at the top of the menu.',
  ],
  BROKEN: [
    'This invitation link is not valid',
    'Part of it may be missing. Open it from the mail again, or ask the person who invited you for a new one.',
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
