import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'

/** `label` names the block for people who do not see it. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative rounded-card border border-line bg-sunken">
      <ScrollRegion label={label} className="max-h-96 overflow-auto">
        <pre className="w-max min-w-full p-4 pr-14 text-xs leading-5">{text}</pre>
      </ScrollRegion>
      <CopyButton text={text} label={`Copy: ${label}`} className="absolute top-2 right-2" />
    </div>
  )
}
