import { Link } from 'react-router'
import { ACCESS_LINK_DAYS, type OpenedAccess } from '#contract/mail/access.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading } from '../parts/auth-heading.tsx'

type Ended = Exclude<OpenedAccess['type'], 'OPEN'> | 'BROKEN'

const texts: Record<Ended, readonly [title: string, text: string]> = {
  EXPIRED: [
    'This link has expired',
    `It works for ${ACCESS_LINK_DAYS} days. Ask the person who gave it to you for a new one.`,
  ],
  USED: [
    'This link has been used',
    'It works once. If that was you, log in with the address of your mailbox. If it was not, tell your administrator at once.',
  ],
  WITHDRAWN: [
    'This link was withdrawn',
    'There may be a newer one. Ask the person who gave it to you.',
  ],
  BROKEN: [
    'This link is not valid',
    'Part of it may be missing. Open it again exactly as you got it, or ask for a new one.',
  ],
}

export function EndedLink({ type }: { type: Ended }) {
  const [title, text] = texts[type]
  return (
    <>
      <AuthHeading title={title}>{text}</AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()}>Go to login</Link>
      </Button>
    </>
  )
}
