import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'accent'

const tones: Record<Tone, string> = {
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  neutral: 'bg-hover text-soft',
  accent: 'bg-accent-wash text-accent-ink',
}

type BadgeProps = { tone?: Tone; children: ReactNode; className?: string }

export function Badge({ tone = 'neutral', children, className }: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

/** A state as a word with a dot in its colour; the word carries the meaning. */
export function Status({ tone = 'neutral', children, className }: BadgeProps) {
  return (
    <Badge tone={tone} {...(className ? { className } : {})}>
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {children}
    </Badge>
  )
}
