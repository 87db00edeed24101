import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'

const itemStyle =
  'flex cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none max-md:min-h-11 data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-soft'

type MenuProps = {
  /** A button. */
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  className?: string
  /** Takes the focus when the menu closes, in place of the trigger. */
  focusAfter?: () => void
  children: ReactNode
}

export function DropdownMenu(props: MenuProps) {
  const { trigger, align = 'end', side, className, focusAfter, children } = props
  return (
    // Not modal: a menu need not hide the page from screen readers or stop it from scrolling.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        {/* A landmark, because the end of the document is in none. */}
        <section aria-label="Menu">
          <Radix.Content
            loop
            align={align}
            {...(side ? { side } : {})}
            sideOffset={6}
            collisionPadding={8}
            onCloseAutoFocus={(event) => {
              if (!focusAfter) return
              event.preventDefault()
              focusAfter()
            }}
            className={cn(
              'z-50 min-w-44 animate-appear overflow-hidden rounded-xl border border-line bg-surface p-1 shadow-floating',
              className,
            )}
          >
            {children}
          </Radix.Content>
        </section>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ItemProps = ComponentProps<typeof Radix.Item> & { isDangerous?: boolean }

export function MenuItem({ className, isDangerous = false, ...rest }: ItemProps) {
  return (
    <Radix.Item
      className={cn(itemStyle, isDangerous && 'text-bad [&_svg]:text-bad', className)}
      {...rest}
    />
  )
}

type CheckItemProps = { isChecked: boolean; onSelect: () => void; children: ReactNode }

/** One of several choices; the current one has a tick. */
export function MenuChoice({ isChecked, onSelect, children }: CheckItemProps) {
  return (
    <Radix.CheckboxItem checked={isChecked} onSelect={onSelect} className={cn(itemStyle, 'pr-8')}>
      {children}
      <Radix.ItemIndicator className="absolute right-3">
        <Check aria-hidden />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  )
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={cn('px-2.5 py-1.5 text-soft text-xs', className)} {...rest} />
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
