import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type KeyKind, type MadeApiKey, makeApiKey } from '#contract/developers/api-keys.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { KeyFields } from './key-fields.tsx'
import { emptyKey, type KeyValues, keySchema, newKeyOf, showRefusedFields } from './key-values.ts'

type KeyFormProps = {
  id: string
  kind: KeyKind
  onMade: (made: MadeApiKey) => void
  onPending: (isPending: boolean) => void
}

export function KeyForm({ id, kind, onMade, onPending }: KeyFormProps) {
  const [refusal, setRefusal] = useState('')
  const form = useForm<KeyValues>({ resolver: zodResolver(keySchema), defaultValues: emptyKey })
  useKeptValues(`API key of a ${kind}`, form)
  const make = useCall(makeApiKey, {
    onMutate: () => onPending(true),
    onSettled: () => onPending(false),
    onSuccess: onMade,
    onError: (error) => {
      if (!showRefusedFields(form, error)) setRefusal(messageOf(error))
    },
  })
  const submit = form.handleSubmit((values) => {
    setRefusal('')
    make.mutate({ body: newKeyOf(kind, values) })
  })
  return (
    <form method="post" id={id} noValidate className="grid gap-5" onSubmit={submit}>
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <KeyFields form={form} />
    </form>
  )
}
