import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'

/** The parts of a table. For lists from the server use DataTable, which is made of them. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cn('w-full border-collapse text-left text-sm', className)} {...rest} />
}

export function HeaderCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn(
        // So high that a whole number of rows fills the bodies of 24rem.
        'h-10.5 whitespace-nowrap bg-sunken px-4 font-medium text-soft text-xs first:pl-5 last:pr-5',
        className,
      )}
      {...rest}
    />
  )
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={cn('h-14 px-4 py-2 first:pl-5 last:pr-5', className)} {...rest} />
}

export function TableRowLine({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cn(
        'border-line border-t transition-colors hover:bg-sunken aria-selected:bg-accent-wash/60',
        className,
      )}
      {...rest}
    />
  )
}
