import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { BackLink, textLink } from './auth-parts.tsx'
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
  const termsUrl = useInstallation()?.termsUrl
  return (
    <main className="mx-auto max-w-2xl px-5 py-10 sm:px-10 sm:py-16">
      <BackLink to={paths.signUp()} />
      <h1 tabIndex={-1} className="font-semibold text-3xl tracking-tight">
        Terms and conditions
      </h1>
      <p className="mt-3 text-pretty text-soft">
        Between you and the operator of this installation, {location.hostname}.
      </p>
      {termsUrl && (
        <p className="mt-6 rounded-xl bg-accent-wash px-4 py-3">
          The operator has terms of their own, and they apply in place of these:{' '}
          <a href={termsUrl} className={`${textLink} break-all`}>
            {termsUrl}
          </a>
        </p>
      )}
      {sections.map(({ title, text }) => (
        <section key={title} className="mt-8">
          <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
          <p className="mt-1.5 text-pretty text-soft leading-7">{text}</p>
        </section>
      ))}
    </main>
  )
}
