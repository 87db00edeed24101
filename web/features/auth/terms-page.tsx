import { usePageTitle } from '#web/lib/page-title.ts'
import { Operator, PlainPage } from './plain-page.tsx'
import { useInstallation } from './use-installation.ts'

const sections = [
  {
    title: 'Your account',
    text: 'Give your own name and an email address that you read. Keep your password to yourself: you are responsible for what is done with your account. Tell the operator if another person may know it.',
  },
  {
    title: 'Your domains and your mail',
    text: 'Add only domains that are yours, or whose owner has asked you to. Domains, mailboxes and messages stay yours; the operator stores and passes them on, reads them only where running the service or the law requires it, and never sells them.',
  },
  {
    title: 'What may not be sent',
    text: 'No bulk mail to people who did not ask for it, no mail in the name of others, no harmful programs, and nothing that is against the law where you or the operator are.',
  },
  {
    title: 'What it costs',
    text: 'Where a price is shown, it is agreed when you confirm the payment. Your invoices are on your profile.',
  },
  {
    title: 'What you can expect',
    text: 'The service is run with care, but without a promise that it is always there or that no mail is ever lost. Keep copies of what you cannot do without.',
  },
  {
    title: 'The end',
    text: 'You may leave at any time. The operator may suspend an account that breaks these terms, and says why.',
  },
] as const

/** The terms that users accept when they sign up. Public; an operator with other terms sets TERMS_URL. */
export function TermsPage() {
  usePageTitle('Terms and conditions')
  const installation = useInstallation()
  return (
    <PlainPage
      title="Terms and conditions"
      lead={
        <>
          Between you and the operator of this installation, {location.hostname}.
          {installation && <Operator {...installation} />}
        </>
      }
      own={{
        url: installation?.termsUrl,
        says: 'The operator has terms of their own, and they apply in place of these:',
      }}
      sections={sections}
    />
  )
}
