/** The frame of the only page of a person who has to set up a second factor first. */
import { Suspense } from 'react'
import { useSwitchWorkspace } from '#web/features/workspaces/use-switch-workspace.ts'
import { factorIsSettled } from '#web/lib/api/factor-due.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { useWorkspaces } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { Splash } from './root-layout.tsx'
import { Wordmark } from './wordmark.tsx'

const Page = lazyPart(
  async () => (await import('#web/features/security/required-factor-page.tsx')).RequiredFactorPage,
)

export function RequiredFactor() {
  return (
    <QueryProvider>
      <TooltipProvider>
        <Suspense fallback={<Splash />}>
          <div className="flex min-h-dvh flex-col">
            <header className="border-line border-b px-5 py-3.5 sm:px-10">
              <Wordmark />
            </header>
            <main className="flex-1 px-4 py-6 sm:px-10 sm:py-10">
              <Page others={<OtherWorkspaces />} />
            </main>
          </div>
        </Suspense>
      </TooltipProvider>
    </QueryProvider>
  )
}

function OtherWorkspaces() {
  const { data = [] } = useWorkspaces()
  const { choose } = useSwitchWorkspace(factorIsSettled)
  const open = data.filter(({ factorDueAt, isCurrent }) => !isCurrent && factorDueAt === null)
  if (open.length === 0) return null
  return (
    <Card>
      <CardHeader title="Other workspaces" description="These do not require a second factor." />
      <ul className="grid divide-y divide-line border-line border-t">
        {open.map(({ _id, name }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
            <span dir="auto" className="wrap-anywhere min-w-0 flex-1 basis-40 text-sm">
              {name}
            </span>
            <Button
              variant="secondary"
              size="small"
              aria-label={`Open ${name}`}
              onClick={() => void choose(_id)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
