import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'

export function BackLink({ to }: { to: string }) {
  return (
    <Button asChild variant="quiet" size="small" className="-ml-2.5 mb-5 self-start">
      <Link to={to}>
        <ArrowLeft aria-hidden />
        Back
      </Link>
    </Button>
  )
}
