import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

export function NotForYou() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="You are not allowed to see this"
        description="Ask an Admin of the workspace if the access to a mailbox needs to change."
        action={
          <Button variant="secondary" asChild>
            <Link to={paths.viewMail()}>Go to your mail</Link>
          </Button>
        }
      />
    </Card>
  )
}
