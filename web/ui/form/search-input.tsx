import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { Input } from './field.tsx'

export function SearchInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <div className={cn('relative', className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft"
        aria-hidden
      />
      <Input
        type="search"
        placeholder="Search"
        aria-label={rest.placeholder ?? 'Search'}
        className="h-9 pl-9"
        {...rest}
      />
    </div>
  )
}
