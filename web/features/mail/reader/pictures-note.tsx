/** Above a message with pictures from elsewhere: they wait for its reader's word, which can be taken back here. */
import { Image, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import type { Pictures } from './use-pictures.ts'

export function PicturesNote({ pictures }: { pictures: Pictures }) {
  const { state, sender, isAlways, missing } = pictures
  if (state === 'none' || state === 'asking') return null
  if (state === 'hidden')
    return (
      <Note
        icon={<ImageOff className="size-4 shrink-0" aria-hidden />}
        text="Pictures are not shown, so that the sender does not learn that you read this."
      >
        <Button variant="secondary" size="small" onClick={pictures.show}>
          Show pictures
        </Button>
        {sender && (
          <Button variant="quiet" size="small" onClick={pictures.showAlways}>
            Always from this sender
          </Button>
        )}
      </Note>
    )
  const failed = missingText(missing)
  const text = [isAlways && `Pictures from ${sender} are always shown.`, failed].filter(Boolean)
  if (state === 'loading')
    return (
      <Note icon={<Spinner className="size-4" />} text="Fetching the pictures">
        {isAlways && <StopButton onPress={pictures.stopAlways} />}
      </Note>
    )
  if (text.length === 0) return null
  return (
    <Note icon={<Image className="size-4 shrink-0" aria-hidden />} text={text.join(' ')}>
      {isAlways && <StopButton onPress={pictures.stopAlways} />}
    </Note>
  )
}

const missingText = (count: number): string =>
  count === 0
    ? ''
    : count === 1
      ? 'One picture is no longer available.'
      : `${count} pictures are no longer available.`

function StopButton({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="quiet" size="small" onClick={onPress}>
      Stop
      <span className="sr-only"> showing the pictures of this sender</span>
    </Button>
  )
}

type NoteProps = { icon: ReactNode; text: string; children?: ReactNode }

function Note({ icon, text, children }: NoteProps) {
  return (
    <section
      aria-label="Pictures"
      className="mx-5 mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-xl bg-hover px-3.5 py-2 text-soft text-sm sm:mx-6"
    >
      {icon}
      <p role="status" className="wrap-anywhere min-w-48 flex-1">
        {text}
      </p>
      <div className="flex flex-wrap items-center gap-1">{children}</div>
    </section>
  )
}
