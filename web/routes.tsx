/** Every route. Pages are loaded when they are opened, so that login does not carry the dashboard. */
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { CrashPage, NotFoundPage } from '#web/features/not-found/not-found-page.tsx'
import { RootLayout, Splash } from '#web/layouts/root-layout.tsx'
import { Entrance, SignedInOnly, VisitorsOnly } from '#web/layouts/session-gates.tsx'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { fetchPart } from '#web/lib/fetch-part.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { dashboardPathNames, dashboardPaths, paths } from './paths.ts'

type Loaded = Promise<{ Component: ComponentType; handle?: { load: LoadPage } }>

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
  page(paths.endSession(), async () => ({
    Component: (await import('#web/features/auth/end-session-page.tsx')).EndSessionPage,
  })),
  page(paths.firstOperator(), async () => ({
    Component: (await import('#web/features/auth/first-operator-page.tsx')).FirstOperatorPage,
  })),
  page(paths.googleLogin(), async () => ({
    Component: (await import('#web/features/auth/google-return-page.tsx')).GoogleReturnPage,
  })),
]

const pagesOfDashboard = dashboardPathNames.map((name) =>
  page(dashboardPaths[name](), async () => {
    const { Component, load } = await dashboardPages[name].open()
    return { Component, handle: { load } }
  }),
)

const authLayout = fetched(async () => ({
  Component: (await import('#web/layouts/auth-layout.tsx')).AuthLayout,
}))

const linkLayout = fetched(async () => ({
  Component: (await import('#web/layouts/link-layout.tsx')).LinkLayout,
}))

const dashboardLayout = fetched(async () => {
  const { DashboardLayout, loadShell } = await import('#web/layouts/dashboard-layout.tsx')
  return { Component: DashboardLayout, handle: { load: loadShell } }
})

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
          page(paths.dnsLinkToMany(), async () => ({
            Component: (await import('#web/features/dns-link/linked-domains-page.tsx'))
              .LinkedDomainsPage,
          })),
          page(paths.apiReference(), async () => ({
            Component: (await import('#web/features/api-reference/api-reference-page.tsx'))
              .ApiReferencePage,
          })),
        ],
      },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: dashboardLayout,
            ErrorBoundary: CrashPage,
            children: pagesOfDashboard,
          },
        ],
      },
      page(paths.terms(), async () => ({
        Component: (await import('#web/features/auth/terms-page.tsx')).TermsPage,
      })),
      page(paths.privacy(), async () => ({
        Component: (await import('#web/features/auth/privacy-page.tsx')).PrivacyPage,
      })),
      { path: paths.notFound(), Component: NotFoundPage },
      { path: '*', Component: NotFoundPage },
    ],
  },
]
