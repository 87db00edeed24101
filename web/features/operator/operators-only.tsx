import { Lock } from 'lucide-react'
import { useSession } from '#web/lib/api/session.ts'
import { Card } from '#web/ui/data/card.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

export function OperatorsOnly({ children }: { children: React.ReactNode }) {
  const session = useSession()
  if (session.status !== 'signed-in' || session.user.isOperator) return children
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an operator can see this"
        description="Operators run this installation for everybody. Ask one of them, or make one at the terminal: npm run operator -- operator add"
      />
    </Card>
  )
}
