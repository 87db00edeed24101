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
