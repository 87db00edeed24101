import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={cn('rounded-card border border-line bg-surface shadow-raised', className)}
      {...rest}
    />
  )
}

type CardHeaderProps = { title: string; description?: ReactNode; aside?: ReactNode }

export function CardHeader({ title, description, aside }: CardHeaderProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-3 px-5 pt-5 pb-4">
      <div className="grid min-w-0 grow basis-44 gap-0.5">
        <h2 className="font-semibold text-base tracking-tight">{title}</h2>
        {description && <p className="text-soft text-sm">{description}</p>}
      </div>
      {aside}
    </header>
  )
}
