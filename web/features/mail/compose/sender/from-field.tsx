import type { Mailbox } from '#contract/mailboxes.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'

type FromFieldProps = {
  mailbox: Mailbox
  addresses: readonly string[]
  value: string
  onChange: (from: string) => void
  error?: string | undefined
}

/** Where a mailbox has several addresses: which one the message is from. */
export function FromField({ mailbox, addresses, value, onChange, error }: FromFieldProps) {
  const options = addresses.map((address) => ({ value: address, label: address }))
  return (
    <Field
      label="From"
      aside={
        <span dir="auto" className="truncate text-soft text-xs">
          {mailbox.fullName}
        </span>
      }
      error={error}
    >
      {(control) => (
        <Select {...control} value={value} onValueChange={onChange} options={options} />
      )}
    </Field>
  )
}
