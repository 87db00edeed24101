/**
 * Shows the HTML of a mail. Four walls, each of which holds alone: the allow-list of `sanitise-mail.ts`,
 * a frame without scripts, the frame's own Content-Security-Policy (server: pages/mail-frame.ts), and no network (decision 008).
 */
import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '#web/lib/theme.ts'
import { cn } from '#web/ui/cn.ts'
import { type Fitting, type Followed, fitFrame, followFrame } from './fit-frame.ts'
import type { RemotePicture } from './remote-pictures.ts'
import { FRAME_PATH, FRAME_SANDBOX, roomOf } from './safe-room.ts'
import { showPictures, writeMail } from './write-mail.ts'

type MailFrameProps = Pick<Followed, 'onLink'> &
  Partial<Followed> & {
    html: string
    /** Addresses (blob:) of the message's own pictures by Content-ID, and of those from elsewhere by theirs. */
    images: ReadonlyMap<string, string>
    pictures?: ReadonlyMap<string, string>
    title: string
    /** Those in it that are from elsewhere. */
    onRemotePictures?: (urls: readonly string[]) => void
  }

const noPictures: ReadonlyMap<string, string> = new Map()
const nothing = () => {}

type Shown = { remote: RemotePicture[]; fitting: Fitting }

export function MailFrame(props: MailFrameProps) {
  const { html, images, pictures = noPictures, title, onLink } = props
  const { onWrite = nothing, onRemotePictures = nothing } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const [paper, setPaper] = useState<'white' | 'dark' | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const room = loads > 0 && frame.current ? roomOf(frame.current) : null
    if (!frame.current || !room) return
    const written = writeMail(room, { html, images, isDark })
    setPaper(written.paper)
    onRemotePictures([...new Set(written.remote.map(({ url }) => url))])
    const fitting = fitFrame(frame.current, room.document)
    setShown({ remote: written.remote, fitting })
    return () => fitting.stop()
  }, [loads, html, images, isDark, onRemotePictures])
  useEffect(() => {
    const room = loads > 0 && frame.current ? roomOf(frame.current) : null
    return room ? followFrame(room.document, { onLink, onWrite }) : undefined
  }, [loads, onLink, onWrite])
  useEffect(() => {
    if (shown && showPictures(shown.remote, pictures)) shown.fitting.again()
  }, [shown, pictures])
  return (
    <iframe
      ref={frame}
      title={title}
      src={FRAME_PATH}
      sandbox={FRAME_SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={() => setLoads((count) => count + 1)}
      className={cn(
        'block h-40 w-full border-0',
        paper === 'white' && 'bg-white dark:brightness-90',
      )}
    />
  )
}
