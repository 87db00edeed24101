/** Every route. Pages are loaded when they are opened, so that login does not carry the dashboard. */
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { CrashPage, NotFoundPage } from '#web/features/not-found/not-found-page.tsx'
import { RootLayout, Splash } from '#web/layouts/root-layout.tsx'
import { Entrance, SignedInOnly, VisitorsOnly } from '#web/layouts/session-gates.tsx'
import type { Asks } from '#web/lib/api/asks.ts'
import { fetchPart } from '#web/lib/fetch-part.ts'
import { paths } from './paths.ts'

type Loaded = Promise<{ Component: ComponentType; handle?: { asks: Asks } }>

const fetched = (load: () => Loaded) => () => fetchPart(load)

const page = (path: string, load: () => Loaded): RouteObject => ({ path, lazy: fetched(load) })

const visitorPages: RouteObject[] = [
  page(paths.login(), async () => ({
    Component: (await import('#web/features/auth/login-page.tsx')).LoginPage,
  })),
  page(paths.signUp(), async () => ({
    Component: (await import('#web/features/auth/sign-up-page.tsx')).SignUpPage,
  })),
]

const mailedLinkPages: RouteObject[] = [
  page(paths.forgotPassword(), async () => ({
    Component: (await import('#web/features/auth/forgot-password-page.tsx')).ForgotPasswordPage,
  })),
  page(paths.emailVerification(), async () => ({
    Component: (await import('#web/features/auth/email-verification-page.tsx'))
      .EmailVerificationPage,
  })),
  page(paths.verifyEmail(), async () => ({
    Component: (await import('#web/features/auth/verify-email-page.tsx')).VerifyEmailPage,
  })),
  page(paths.createNewPassword(), async () => ({
    Component: (await import('#web/features/auth/new-password-page.tsx')).NewPasswordPage,
  })),
  page(paths.invitation(), async () => ({
    Component: (await import('#web/features/auth/invitation-page.tsx')).InvitationPage,
  })),
  page(paths.accessLink(), async () => ({
    Component: (await import('#web/features/auth/access-link-page.tsx')).AccessLinkPage,
  })),
  page(paths.googleLogin(), async () => ({
    Component: (await import('#web/features/auth/google-return-page.tsx')).GoogleReturnPage,
  })),
]

const mailboxesPage = async () => ({
  Component: (await import('#web/features/mailboxes/mailboxes-page.tsx')).MailboxesPage,
})

const dashboardPages: RouteObject[] = [
  page(paths.dashboard(), async () => ({
    Component: (await import('#web/features/home/home-page.tsx')).HomePage,
  })),
  page(paths.domains(), async () => ({
    Component: (await import('#web/features/domains/domains-page.tsx')).DomainsPage,
  })),
  page(paths.domain(), async () => {
    const { DomainPage, domainAsks } = await import('#web/features/domains/page/domain-page.tsx')
    return { Component: DomainPage, handle: { asks: domainAsks } }
  }),
  page(paths.addDomain(), async () => ({
    Component: (await import('#web/features/domains/add-domain-page.tsx')).AddDomainPage,
  })),
  page(paths.sandboxDns(), async () => ({
    Component: (await import('#web/features/sandbox-dns/sandbox-dns-page.tsx')).SandboxDnsPage,
  })),
  page(paths.mailboxes(), mailboxesPage),
  page(paths.newMailbox(), mailboxesPage),
  page(paths.viewMail(), async () => {
    const { MailPage, mailAsks } = await import('#web/features/mail/mail-page.tsx')
    return { Component: MailPage, handle: { asks: mailAsks } }
  }),
  page(paths.mailboxSettings(), async () => {
    const file = await import('#web/features/mailbox-settings/mailbox-settings-page.tsx')
    return { Component: file.MailboxSettingsPage, handle: { asks: file.settingsAsks } }
  }),
  page(paths.access(), async () => ({
    Component: (await import('#web/features/mailbox-access/access-page.tsx')).AccessPage,
  })),
  page(paths.settings(), async () => ({
    Component: (await import('#web/features/settings/settings-page.tsx')).SettingsPage,
  })),
  page(paths.profile(), async () => ({
    Component: (await import('#web/features/profile/profile-page.tsx')).ProfilePage,
  })),
]

const authLayout = fetched(async () => ({
  Component: (await import('#web/layouts/auth-layout.tsx')).AuthLayout,
}))

const linkLayout = fetched(async () => ({
  Component: (await import('#web/layouts/link-layout.tsx')).LinkLayout,
}))

const dashboardLayout = fetched(async () => ({
  Component: (await import('#web/layouts/dashboard-layout.tsx')).DashboardLayout,
}))

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: CrashPage,
    HydrateFallback: Splash,
    children: [
      { path: paths.root(), Component: Entrance },
      {
        Component: VisitorsOnly,
        children: [
          {
            lazy: authLayout,
            children: visitorPages,
          },
        ],
      },
      {
        lazy: authLayout,
        children: mailedLinkPages,
      },
      {
        lazy: linkLayout,
        children: [
          page(paths.dnsLink(), async () => ({
            Component: (await import('#web/features/dns-link/dns-link-page.tsx')).DnsLinkPage,
          })),
        ],
      },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: dashboardLayout,
            ErrorBoundary: CrashPage,
            children: dashboardPages,
          },
        ],
      },
      page(paths.terms(), async () => ({
        Component: (await import('#web/features/auth/terms-page.tsx')).TermsPage,
      })),
      { path: paths.notFound(), Component: NotFoundPage },
      { path: '*', Component: NotFoundPage },
    ],
  },
]
