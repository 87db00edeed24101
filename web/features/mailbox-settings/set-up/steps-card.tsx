import type { ReactNode } from 'react'
import type { MadeAppPassword } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { MarkedText } from './marked-text.tsx'
import { PasswordStep } from './password-step.tsx'
import { ProfileStep } from './profile-step.tsx'
import { type Account, type Program, type ProgramId, programs } from './programs.ts'

type StepsCardProps = {
  id: ProgramId
  mailbox: Mailbox
  account: Account
  made: MadeAppPassword | null
  onMade: (made: MadeAppPassword) => void
}

/** The steps in one program, with what is made or downloaded here in its place among them. */
export function StepsCard({ id, mailbox, account, made, onMade }: StepsCardProps) {
  const program: Program = programs[id]
  const steps: { key: string; title?: string; content: ReactNode }[] = [
    {
      ...{ key: 'password', title: made ? 'Copy the app password' : 'Make an app password' },
      content: <PasswordStep {...{ mailbox, made, onMade }} device={program.device} />,
    },
    ...(program.takesProfile
      ? [
          {
            ...{ key: 'profile', title: 'Get the profile' },
            content: <ProfileStep email={account.email} isOnPhone={program.isOnPhone} />,
          },
        ]
      : []),
    ...program.steps(account).map((text) => ({ key: text, content: <MarkedText text={text} /> })),
  ]
  return (
    <Card>
      <CardHeader title={program.title} />
      <ol aria-label={`Steps for ${program.title}`} className="grid px-5 pb-5">
        {steps.map(({ key, title, content }, n) => (
          <li
            key={key}
            className="flex gap-4 border-line border-t py-4 first:border-t-0 first:pt-1 last:pb-0"
          >
            <span
              aria-hidden
              className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-wash font-semibold text-accent-ink text-xs tabular-nums"
            >
              {n + 1}
            </span>
            <div className="wrap-anywhere grid min-w-0 flex-1 gap-2 pt-1">
              {title && <h3 className="font-medium text-sm">{title}</h3>}
              {title ? content : <p className="text-soft text-sm leading-6">{content}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
