import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cn } from '../cn.ts'
import { Input, InputField, type InputFieldProps } from './field.tsx'

/** A password input with a button that shows the text. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...rest} type={isShown ? 'text' : 'password'} className={cn('pr-10', className)} />
      <button
        type="button"
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-md text-soft hover:text-ink"
        aria-label={isShown ? 'Hide characters' : 'Show characters'}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  )
}

/** A labelled password input. For password managers: a new password, unless `autoComplete` says otherwise. */
export function PasswordField(props: InputFieldProps) {
  return <InputField required autoComplete="new-password" {...props} control={PasswordInput} />
}
