import { CopyButton } from '#web/ui/form/copy-button.tsx'

type RecordLineProps = { label: string; name: string; value: string }

/** One TXT record: where, and what. */
export function RecordLine({ label, name, value }: RecordLineProps) {
  return (
    <dl
      aria-label={label}
      className="grid gap-1.5 rounded-xl border border-line px-3.5 py-2 text-ink"
    >
      <Part term="Name" text={name} />
      <Part term="Value" text={value} />
    </dl>
  )
}

function Part({ term, text }: { term: string; text: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 sm:grid-cols-[3.5rem_1fr_auto]">
      <dt className="text-soft text-xs max-sm:col-span-2">{term}</dt>
      <dd className="break-all font-mono text-xs">{text}</dd>
      <dd>
        <CopyButton text={text} label={`Copy ${term.toLowerCase()}`} />
      </dd>
    </div>
  )
}
