import { KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'

/** The way of a holder to the keys of their own: members find them in the settings of the workspace. */
export function ApiKeysCard() {
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="API keys"
        description="Programs that you write or choose read and send mail of this mailbox with a key of their own."
        aside={
          <Button variant="secondary" asChild className="max-sm:w-full">
            <Link to={paths.developers()}>
              <KeyRound aria-hidden />
              API keys
            </Link>
          </Button>
        }
      />
    </Card>
  )
}
