import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps, MouseEvent } from 'react'
import { cn } from '../cn.ts'
import { Spinner } from '../state/loading.tsx'

export const buttonStyle = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium transition-colors duration-150 disabled:pointer-events-none disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-raised hover:bg-accent-hover',
        secondary: 'border border-line bg-surface text-ink shadow-raised hover:bg-hover',
        quiet: 'text-soft hover:bg-hover hover:text-ink',
        danger: 'bg-bad-fill text-white shadow-raised hover:brightness-95',
        link: 'text-accent-ink underline-offset-4 hover:underline',
      },
      size: {
        // Under a finger as high as it needs, on wide screens too.
        small: 'h-8 px-3 text-xs pointer-coarse:h-10 [&_svg]:size-3.5',
        // On a phone as high as a finger needs: main buttons are medium or large.
        medium: 'h-9 px-3.5 text-sm max-md:h-11 [&_svg]:size-4',
        large: 'h-10 px-4 text-sm max-md:h-11 [&_svg]:size-4',
        icon: 'size-9 [&_svg]:size-4',
        iconSmall: 'size-8 pointer-coarse:size-10 [&_svg]:size-4',
        /** In a toolbar on a phone: 44px, and less when the buttons would not fit. */
        iconTouch: 'size-8 max-sm:size-11 max-sm:min-w-8 max-sm:shrink [&_svg]:size-4',
        inline: 'min-h-6 text-sm [&_svg]:size-4',
      },
    },
    compoundVariants: [
      {
        variant: ['primary', 'danger'],
        size: 'small',
        className: 'max-md:h-11 pointer-coarse:h-11',
      },
    ],
    defaultVariants: { variant: 'primary', size: 'medium' },
  },
)

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonStyle> & {
    /** Styles its one child (a link) as a button. */
    asChild?: boolean
    /**
     * Shows a spinner and ignores clicks; the caller keeps the text. Not `disabled`: the browser would take the focus
     * from a disabled button, and keyboard users would lose their place.
     */
    isPending?: boolean
  }

/**
 * For buttons below a form. Pressing one must not blur the field being edited: its error would appear then and move the button
 * from under the pointer before the click.
 */
export const keepFocus = (event: MouseEvent): void => event.preventDefault()

export function Button({
  className,
  variant,
  size,
  asChild = false,
  isPending = false,
  disabled,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const style = cn(buttonStyle({ variant, size }), className)
  if (asChild)
    return (
      <Slot.Root className={style} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    )
  return (
    <button
      type={type}
      className={style}
      disabled={disabled && !isPending}
      onMouseDown={type === 'submit' ? keepFocus : undefined}
      // Prevented, so that Enter in a field does not submit the form again.
      onClick={isPending ? (event) => event.preventDefault() : onClick}
      {...rest}
      aria-disabled={isPending || rest['aria-disabled']}
    >
      {isPending && <Spinner />}
      {children}
    </button>
  )
}
