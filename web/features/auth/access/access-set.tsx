import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading } from '../parts/auth-heading.tsx'

/** The form is gone: the focus goes to what came in its place. */
export function AccessSet({ email }: { email: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={box}>
      <AuthHeading title="Your password is set">
        From now on you log in with <strong className="font-medium text-ink">{email}</strong> and
        this password.
      </AuthHeading>
      <Button asChild size="large" className="w-full">
        <Link to={paths.login()} state={{ email }}>
          Log in
        </Link>
      </Button>
    </div>
  )
}
