import { Upload as UploadIcon } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import type { MailImport } from '#contract/mail/transfer.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, FieldError } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ImportState } from './import-state.tsx'
import { chosenFolder, NO_FOLDER, useFolderOptions } from './use-folder-options.ts'
import { isOpen, isSameFile, useUpload } from './use-upload.ts'

type ImportPartProps = { mailbox: Mailbox; latest: MailImport | undefined }

export function ImportPart({ mailbox, latest }: ImportPartProps) {
  const [folder, setFolder] = useState(NO_FOLDER)
  const [mistake, setMistake] = useState('')
  const options = useFolderOptions(mailbox._id, 'Folder named in the file, or Archive')
  const upload = useUpload(mailbox._id)
  const input = useRef<HTMLInputElement>(null)
  const choose = () => input.current?.click()
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // So that the same file can be chosen again.
    event.target.value = ''
    if (file === undefined) return
    const isOther = latest?.state === 'uploading' && !isSameFile(file, latest)
    setMistake(isOther ? `This is not ${latest.filename}.` : '')
    if (!isOther) upload.send(file, chosenFolder(folder))
  }
  return (
    <section aria-label="Import" className="grid gap-3">
      <input
        ref={input}
        type="file"
        accept=".mbox,.mbx,.eml,application/mbox,message/rfc822"
        aria-label="mbox file"
        className="sr-only"
        tabIndex={-1}
        onChange={onFile}
      />
      {!isOpen(latest) && (
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Import into" className="min-w-52 flex-1">
            {(control) => (
              <Select {...control} value={folder} onValueChange={setFolder} options={options} />
            )}
          </Field>
          <Button
            variant="secondary"
            size="large"
            isPending={upload.isSending}
            className="max-sm:w-full"
            onClick={choose}
          >
            <UploadIcon aria-hidden />
            Choose an mbox file
          </Button>
        </div>
      )}
      <FieldError message={mistake || upload.refusal || undefined} />
      {latest && (
        <ImportState mailbox={mailbox} latest={latest} upload={upload} onChoose={choose} />
      )}
      {!isOpen(latest) && (
        <p className="text-soft text-xs">
          Messages that are here already are not imported again. Google Takeout, Thunderbird, Apple
          Mail and mutt write such files.
        </p>
      )}
    </section>
  )
}
