import { MonitorCheck } from 'lucide-react'
import { useRef } from 'react'
import { endTrustedBrowser, type SecondFactor } from '#contract/account/second-factor.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

type TrustedBrowser = SecondFactor['trustedBrowsers'][number]

export function TrustedBrowsersCard({ browsers }: { browsers: readonly TrustedBrowser[] }) {
  const list = useRef<HTMLElement>(null)
  const end = useCall(endTrustedBrowser, {
    onSuccess: ({ message }) => {
      toast({ title: message, variant: 'success' })
      list.current?.focus()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Card>
      <CardHeader
        title="Trusted browsers"
        description="Here the password alone signs you in, for 30 days. The trust ends when your password or a second factor changes."
      />
      <section ref={list} tabIndex={-1} aria-label="Trusted browsers" className="px-5 pb-5">
        {browsers.length === 0 ? (
          <EmptyState
            icon={MonitorCheck}
            title="No trusted browser"
            description="You can trust a browser when you sign in with your second factor."
            className="py-6"
          />
        ) : (
          <ul className="grid divide-y divide-line rounded-card border border-line">
            {browsers.map(({ _id: id, browser, ip, lastUsedAt, expiresAt }) => (
              <li key={id} className="flex min-w-0 items-center gap-3 py-3 pr-2 pl-4">
                <div className="grid min-w-0 flex-1 gap-1">
                  <p className="wrap-anywhere font-medium text-sm">{browser}</p>
                  <p className="wrap-anywhere text-soft text-xs">
                    <bdi>{ip}</bdi>, used <Ago at={lastUsedAt} />, until{' '}
                    <LocalTime at={expiresAt} format={formatDate} title={formatMoment} />
                  </p>
                </div>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`End the trust in ${browser}`}
                  isPending={end.isPending && end.variables?.params.id === id}
                  onClick={() => end.mutate({ params: { id } })}
                >
                  End
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </Card>
  )
}
