/** How a person shows that it is them: by a code, a passkey, a recovery code, or where there is no factor by the password. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { passkeyAnswer } from '#contract/account/passkeys.ts'
import type { FactorMethod } from '#contract/account/second-factor.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { askBrowserPasskey, canUsePasskeys } from './browser-passkeys.ts'

export type Method = FactorMethod | 'password'

export type Proof = {
  code?: string
  recoveryCode?: string
  password?: string
  passkey?: z.input<typeof passkeyAnswer>
}

type ProveFormProps = {
  methods: readonly Method[]
  passkey: Record<string, unknown> | null
  submitText: string
  /** Rejects with what the server says. */
  onProve: (proof: Proof) => Promise<void>
  /** Below the field. */
  children?: ReactNode
}

const others: Record<Method, string> = {
  totp: 'Use the code of the app',
  passkey: 'Use a passkey',
  'recovery-code': 'Use a recovery code',
  password: 'Use the password',
}

export function ProveForm({ methods, passkey, submitText, onProve, children }: ProveFormProps) {
  const usable = methods.filter((each) => each !== 'passkey' || (passkey && canUsePasskeys()))
  const [method, setMethod] = useState<Method>(usable[0] ?? 'recovery-code')
  const { prove, isPending, error, refusal, forget } = useProof(onProve)
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    if (method === 'passkey')
      void prove(async () => ({ passkey: await askBrowserPasskey(passkey ?? {}) }))
    else if (method === 'totp') void prove(async () => ({ code: typed }))
    else if (method === 'password') void prove(async () => ({ password: typed }))
    else void prove(async () => ({ recoveryCode: typed }))
  }
  const choose = (other: Method) => {
    setMethod(other)
    setTyped('')
    forget()
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <ProofField key={method} method={method} typed={typed} onType={setTyped} error={error} />
      {children}
      <Button type="submit" size="large" isPending={isPending}>
        {method === 'passkey' ? 'Use a passkey' : submitText}
      </Button>
      {usable.length > 1 && (
        <div className="flex flex-wrap justify-center gap-x-5 gap-y-1">
          {usable
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} variant="link" size="inline" onClick={() => choose(other)}>
                {others[other]}
              </Button>
            ))}
        </div>
      )}
    </form>
  )
}

function useProof(onProve: (proof: Proof) => Promise<void>) {
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState('')
  const [refusal, setRefusal] = useState('')
  const forget = () => {
    setError('')
    setRefusal('')
  }
  const prove = async (read: () => Promise<Proof>) => {
    forget()
    setIsPending(true)
    try {
      await onProve(await read())
    } catch (thrown) {
      const fields = thrown instanceof ApiError && thrown.type === 'VALIDATION' ? thrown.data : {}
      const [message] = Object.values(fields)
      if (typeof message === 'string') setError(message)
      else setRefusal(messageOf(thrown))
    } finally {
      setIsPending(false)
    }
  }
  return { prove, isPending, error, refusal, forget }
}

type ProofFieldProps = {
  method: Method
  typed: string
  onType: (text: string) => void
  error: string
}

function ProofField({ method, typed, onType, error }: ProofFieldProps) {
  if (method === 'passkey')
    return (
      <p className="text-pretty text-sm text-soft">
        Your device asks for your finger, your face or its PIN.
      </p>
    )
  const control = {
    ...{ required: true, error: error || undefined, value: typed, spellCheck: false },
    onChange: (event: { target: { value: string } }) => onType(event.target.value),
    // The only field of a form that just opened.
    autoFocus: true,
  }
  if (method === 'password')
    return <PasswordField label="Password" autoComplete="current-password" {...control} />
  if (method === 'totp')
    return (
      <InputField
        label="Code"
        hint="The 6 digits that your authenticator app shows"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
        {...control}
      />
    )
  return (
    <InputField
      label="Recovery code"
      hint="One of the ten that you kept. Each works once"
      autoComplete="off"
      autoCapitalize="off"
      {...control}
    />
  )
}
