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
  className?: string
  children: (control: ControlProps) => ReactNode
}

/** A labelled control with its hint and error. The label contains only the given text. */
export function Field({ label, error, hint, required, aside, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cn('relative grid grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label id={`${id}-label`} htmlFor={id} className="font-medium text-ink text-sm">
          {label}
        </label>
        {aside}
      </div>
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
  const { label, error, hint, aside, required = false, className = '', ...input } = props
  return (
    <Field {...{ label, error, hint, aside, required, className }}>
      {(control) => <Control {...control} {...input} />}
    </Field>
  )
}
