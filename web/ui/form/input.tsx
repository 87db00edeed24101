import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

export const inputStyle =
  'w-full min-w-0 rounded-control border border-control bg-surface px-3 text-sm text-ink transition-[border-color,box-shadow] duration-150 placeholder:text-soft focus-visible:border-accent-ink focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-accent/25 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-soft aria-invalid:border-bad aria-invalid:focus-visible:ring-bad/25 max-md:text-base'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(inputStyle, 'h-10 max-md:h-11', className)} {...rest} />
}
