import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

/** In place of the domains, to members whose role is not about them. */
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
