/** Sends the form of the auto-generate dialog, with its pictures, and brings refusals to their step. */
import { useState } from 'react'
import { generateMailboxes } from '#contract/mailboxes.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import type { LocalImages } from '#web/ui/editor/local-images.ts'
import { type GenerateForm, stepOfField } from './generate-values.ts'

type GenerateOptions = {
  form: GenerateForm
  images: LocalImages
  hasBilling: boolean
  onStep: (step: number) => void
  onDone: () => void
}

export function useGenerate({ form, images, hasBilling, onStep, onDone }: GenerateOptions) {
  const [refusal, setRefusal] = useState('')
  const [isEmbedding, setIsEmbedding] = useState(false)
  const generate = useCall(generateMailboxes, {
    onSuccess: (mailboxes) => {
      onDone()
      toast({
        title: `${formatCount(mailboxes.length)} ${mailboxes.length === 1 ? 'mailbox' : 'mailboxes'} created`,
        description: hasBilling ? 'They become active when they are paid for.' : '',
        variant: 'success',
      })
    },
    onError: (error) => {
      const [field] = Object.keys(error.data)
      if (error.type === 'VALIDATION' && field) onStep(stepOfField(field.split('.')[0] ?? ''))
      if (showFieldErrors(form, error)) return
      const { domain } = error.data
      if (typeof domain !== 'string') return setRefusal(error.message)
      // One domain of many: which one, and where it can be left out.
      onStep(stepOfField('domains'))
      const message = error.message.replace(/^This domain/, domain)
      form.setError('domains', { type: 'server', message })
    },
  })
  const submit = form.handleSubmit(async ({ nameType: _, signature = '', ...values }) => {
    setRefusal('')
    setIsEmbedding(true)
    const embedded = await images.embed(signature).finally(() => setIsEmbedding(false))
    generate.mutate({ body: { ...values, ...(embedded ? { signature: embedded } : {}) } })
  })
  return { submit: () => void submit(), isPending: isEmbedding || generate.isPending, refusal }
}
