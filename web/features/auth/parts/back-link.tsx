import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'

/** `state` goes along, for the page that is gone back to. */
export function BackLink({ to, state }: { to: string; state?: unknown }) {
  return (
    <Button asChild variant="quiet" size="small" className="-ml-2.5 mb-5 self-start">
      <Link to={to} state={state}>
        <ArrowLeft aria-hidden />
        Back
      </Link>
    </Button>
  )
}
