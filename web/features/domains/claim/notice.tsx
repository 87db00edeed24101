import { Clock3, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'

type NoticeProps = {
  /** `bad`: something will be lost; `warn`: somebody waits. */
  tone: 'bad' | 'warn'
  title: string
  children: ReactNode
  actions?: ReactNode
}

const looks: Record<NoticeProps['tone'], { icon: LucideIcon; text: string; wash: string }> = {
  bad: { icon: TriangleAlert, text: 'text-bad', wash: 'bg-bad-wash' },
  warn: { icon: Clock3, text: 'text-warn', wash: 'bg-warn-wash' },
}

/** What is in question about who holds a domain: what happens when, and what can be done. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  const { icon: Icon, text, wash } = looks[tone]
  return (
    <Card className="p-5 sm:px-6">
      <section aria-label={title} className="flex gap-4 max-sm:flex-col">
        <span className={cn('grid size-10 shrink-0 place-items-center rounded-xl', wash, text)}>
          <Icon className="size-5" aria-hidden />
        </span>
        <div className="grid min-w-0 flex-1 gap-3">
          <h2 className="wrap-anywhere font-semibold text-base tracking-tight">{title}</h2>
          <div className="grid max-w-3xl gap-2.5 text-pretty text-sm text-soft">{children}</div>
          {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
        </div>
      </section>
    </Card>
  )
}
