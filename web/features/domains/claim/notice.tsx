import { Clock3, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'

type NoticeProps = {
  /** `bad`: something will be lost; `warn`: a decision is pending. */
  tone: 'bad' | 'warn'
  title: string
  children: ReactNode
  actions?: ReactNode
}

const looks: Record<NoticeProps['tone'], { icon: LucideIcon; text: string; wash: string }> = {
  bad: { icon: TriangleAlert, text: 'text-bad', wash: 'bg-bad-wash' },
  warn: { icon: Clock3, text: 'text-warn', wash: 'bg-warn-wash' },
}

/** A notice about a doubt who holds a domain: what happens, when, and what the user can do. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  const { icon: Icon, text, wash } = looks[tone]
  return (
    <Card className="p-5 sm:px-6">
      <section aria-label={title} className="grid gap-3 sm:gap-1">
        <div className="flex items-center gap-3 sm:gap-4">
          <span className={cn('grid size-10 shrink-0 place-items-center rounded-xl', wash, text)}>
            <Icon className="size-5" aria-hidden />
          </span>
          <h2 className="wrap-anywhere min-w-0 font-semibold text-lg tracking-tight">{title}</h2>
        </div>
        <div className="grid min-w-0 gap-3 sm:pl-14">
          <div className="grid max-w-3xl gap-2.5 text-pretty text-sm text-soft">{children}</div>
          {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
        </div>
      </section>
    </Card>
  )
}

/** Shows 'Nov 28, 2026, 12:00 PM (in 7 days)'. */
export function Moment({ iso }: { iso: string }) {
  const now = useNow(60_000)
  return (
    <LocalTime
      at={iso}
      format={() => `${formatMoment(iso)} (${formatAgo(iso, now)})`}
      placeholder="Nov 28, 2026, 12:00 PM (in 7 days)"
      className="font-medium text-ink"
    />
  )
}

type RecordLineProps = { label: string; name: string; value: string }

/** Name and value of one TXT record. */
export function RecordLine({ label, name, value }: RecordLineProps) {
  return (
    <dl
      aria-label={label}
      className="grid gap-1.5 rounded-xl border border-line px-3.5 py-2 text-ink"
    >
      <Part term="Name" text={name} />
      <Part term="Value" text={value} />
    </dl>
  )
}

function Part({ term, text }: { term: string; text: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 sm:grid-cols-[3.5rem_1fr_auto]">
      <dt className="text-soft text-xs max-sm:col-span-2">{term}</dt>
      <dd className="break-all font-mono text-xs">{text}</dd>
      <dd>
        <CopyButton text={text} label={`Copy ${term.toLowerCase()}`} />
      </dd>
    </div>
  )
}
