import { usePageTitle } from '#web/lib/page-title.ts'
import { Operator, PlainPage } from './plain-page.tsx'
import { useInstallation } from './use-installation.ts'

const sections = [
  {
    title: 'What is stored',
    text: 'Your name, your email address and a hash of your password. What you enter about your company, your domains and your mailboxes, and the answers of DNS about them. Your mail with its attachments. Invoices, where mailboxes cost something. For each sign-in, the network address and the name of the browser.',
  },
  {
    title: 'What it is used for',
    text: 'To run your mail, to show it to you, to bill it where it costs something, and to keep strangers out. Nothing is sold, nothing is used for advertising, and no page or mail of ours has trackers.',
  },
  {
    title: 'Where it is',
    text: 'On the servers of this installation, and in the storage that its operator chose for it. Pages load nothing from other companies. Cookies keep you signed in and remember the theme and this browser; there are no others. Messages that you send go to the mail servers of their recipients.',
  },
  {
    title: 'Who can read your mail',
    text: 'The holder of a mailbox, and people whom an Admin of the workspace gave it to. Each such right is written into a log that the holder sees. The operator looks after the servers and can reach what is on them; the terms say when they may. Junk mail is recognised here, by no other company.',
  },
  {
    title: 'How long it is kept',
    text: 'Your mail and your domains until you delete them, or a workspace gives them up. Sign-ins for 30 days after they end, sign-ups that were never confirmed for 30 days, and known browsers for a year after their last use. Invoices stay as long as the law asks for them. The operator decides how long backups and logs are kept.',
  },
  {
    title: 'What you can do',
    text: 'Change your name and address in your profile, save all mail of a mailbox from its settings, and delete mailboxes and domains. To see what else is stored about you, or to have your account deleted, write to the operator.',
  },
] as const

/** What is kept of people. Public; an operator with a page of their own sets PRIVACY_URL. */
export function PrivacyPage() {
  usePageTitle('Privacy')
  const installation = useInstallation()
  return (
    <PlainPage
      title="Privacy"
      lead={
        <>
          What this installation, {location.hostname}, keeps about you.
          {installation && <Operator {...installation} />}
        </>
      }
      own={{
        url: installation?.privacyUrl,
        says: 'The operator has a privacy policy of their own, and it applies in place of this page:',
      }}
      sections={sections}
    />
  )
}
