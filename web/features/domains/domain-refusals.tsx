import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'

type UnreadableDomainProps = { error: { type: string; message: string }; onRetry: () => void }

/** Shown instead of a domain that does not exist or could not be loaded. */
export function UnreadableDomain({ error, onRetry }: UnreadableDomainProps) {
  const isMissing = error.type === 'NOT_EXISTS'
  return (
    <Card>
      <ErrorState
        title={isMissing ? 'This domain is not in your workspace' : 'Error loading the domain'}
        description={
          isMissing ? 'It may have been deleted, or belong to another workspace.' : error.message
        }
        {...(isMissing ? {} : { onRetry })}
        action={
          <Button variant="secondary" asChild>
            <Link to={paths.domains()}>Go to Domains</Link>
          </Button>
        }
      />
    </Card>
  )
}

/** Shown instead of domains to members whose role may not see them. */
export function ManagersOnly() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only Admins and Editors can see this"
        description="Ask an Admin of the workspace if something about its domains needs to change."
        action={
          <Button variant="secondary" asChild>
            <Link to={paths.viewMail()}>Go to your mail</Link>
          </Button>
        }
      />
    </Card>
  )
}
