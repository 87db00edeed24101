import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ComponentType, type ReactNode, useId } from 'react'
import { cn } from '../cn.ts'

/** Attributes that connect a control with its label, hint and error. */
export type ControlProps = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

export type FieldProps = {
  label: string
  error?: string | undefined
  hint?: ReactNode
  required?: boolean
  /** Shown at the right end of the label's line: a link, a count. */
  aside?: ReactNode
  /** true: the label stands before the control, on one line. */
  isInline?: boolean
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** A labelled control with its hint and error. The label contains only the given text. */
export function Field(props: FieldProps) {
  const { label, error, hint, required, aside, isInline = false, className, children } = props
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const name = (
    <label
      id={`${id}-label`}
      htmlFor={id}
      className={cn(
        'font-medium text-ink text-sm',
        isInline && 'w-16 shrink-0 pt-2.5 text-soft max-md:pt-3',
      )}
    >
      {label}
    </label>
  )
  const control = (
    <>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
        'aria-required': required ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-soft text-xs">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} message={error} />
    </>
  )
  if (isInline)
    return (
      <div className={cn('relative flex items-start max-sm:flex-wrap', className)}>
        {name}
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1.5">{control}</div>
        {/* On a phone on a line of its own: beside the control it would take half of its width. */}
        {aside && (
          <div className="shrink-0 pt-2.5 pl-3 max-sm:basis-full max-sm:pt-1 max-sm:pl-16">
            {aside}
          </div>
        )}
      </div>
    )
  return (
    <div className={cn('relative grid grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        {name}
        {aside}
      </div>
      {control}
    </div>
  )
}

/**
 * The alert icon and the red text below a field; also for groups without a single control. The live region stays when it is
 * empty, and is not hidden: screen readers announce only changes of a region that they know.
 */
export function FieldError({ id, message }: { id?: string; message?: string | undefined }) {
  return (
    <div aria-live="polite" className={message ? undefined : 'sr-only'}>
      {message && (
        <p id={id} className="flex items-start gap-1.5 text-bad text-xs">
          <CircleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
          <span className="min-w-0 wrap-anywhere">{message}</span>
        </p>
      )}
    </div>
  )
}

export const inputStyle =
  'w-full min-w-0 rounded-control border border-control bg-surface px-3 text-sm text-ink transition-[border-color,box-shadow] duration-150 placeholder:text-soft focus-visible:border-accent-ink focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-accent/25 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-soft aria-invalid:border-bad aria-invalid:focus-visible:ring-bad/25 max-md:text-base'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(inputStyle, 'h-10 max-md:h-11', className)} {...rest} />
}

export type InputFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'id' | 'required' | 'className'>

type ControlOf = { control?: ComponentType<ComponentProps<'input'>> }

/** A labelled input; further props, such as those of `form.register`, go to the input. `className` is that of the field. */
export function InputField({ control: Control = Input, ...props }: InputFieldProps & ControlOf) {
  const { label, error, hint, aside, isInline = false, ...rest } = props
  const { required = false, className = '', ...input } = rest
  return (
    <Field {...{ label, error, hint, aside, isInline, required, className }}>
      {(control) => <Control {...control} {...input} />}
    </Field>
  )
}
