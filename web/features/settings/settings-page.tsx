/** The settings of the workspace: company profile and members. Only for Admins; others see a note. */

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Lock, ReceiptText, ScrollText } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { getLeaving } from '#contract/account/leaving.ts'
import { getFactorRule } from '#contract/account/required-factor.ts'
import { getInstallation } from '#contract/installation.ts'
import { listInvitations } from '#contract/invitations.ts'
import { listWorkspaceExports } from '#contract/mail/workspace-exports.ts'
import { memberCan } from '#contract/rights.ts'
import { getProgramRules } from '#contract/workspace/mail-programs.ts'
import {
  type Company,
  companyForm,
  getCompany,
  listMembers,
  saveCompany,
} from '#contract/workspaces.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { useTab } from '#web/lib/list-place.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { FactorRuleCard } from '#web/second-step/factor-rule-card.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Tabs } from '#web/ui/data/tabs.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { CompanyFields, type CompanyValues } from './company-fields.tsx'
import { DeleteWorkspaceCard } from './delete-workspace-card.tsx'
import { ExportCard } from './export-card.tsx'
import { InvitationList } from './invitation-list.tsx'
import { LeaveWorkspaceCard } from './leave-workspace-card.tsx'
import { MemberTable } from './member-table.tsx'
import { ProgramsCard } from './programs-card.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  const [tab, openTab] = useTab(['account', 'users'])
  const role = useRole()
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Settings"
        subtitle="The company behind this workspace and its people"
        actions={
          <>
            {role !== undefined && memberCan(role, 'see-audit-log') && <AuditLogLink />}
            {role !== undefined && memberCan(role, 'manage-billing') && <BillingLink />}
            <DevelopersLink />
          </>
        }
      />
      {role === undefined ? (
        <Skeleton className="h-96 w-full rounded-card" />
      ) : !memberCan(role, 'manage-company') ? (
        <>
          <AdminsOnly />
          {memberCan(role, 'see-workspace') && <LeaveWorkspaceCard />}
        </>
      ) : (
        <Tabs
          aria-label="Settings"
          value={tab}
          onValueChange={openTab}
          tabs={[
            { value: 'account', label: 'Account', content: <Account /> },
            { value: 'users', label: 'Users', content: <Users /> },
          ]}
        />
      )}
    </div>
  )
}

/** The menu is the specification's, and has no Billing. */
function BillingLink() {
  const { data } = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (!data || data.billing === 'off') return null
  return (
    <Button asChild variant="secondary">
      <Link to={paths.profile({ tab: 'billing' })}>
        <ReceiptText aria-hidden />
        Billing
      </Link>
    </Button>
  )
}

/** Every member may have keys of their own. */
function DevelopersLink() {
  return (
    <Button asChild variant="secondary">
      <Link to={paths.developers()}>
        <KeyRound aria-hidden />
        Developers
      </Link>
    </Button>
  )
}

function AuditLogLink() {
  return (
    <Button asChild variant="secondary">
      <Link to={paths.auditLog()}>
        <ScrollText aria-hidden />
        Audit log
      </Link>
    </Button>
  )
}

function Account() {
  return (
    <div className="grid gap-6">
      <CompanyCard />
      <FactorRuleCard of="workspace" />
      <ProgramsCard />
      <ExportCard />
      <LeaveWorkspaceCard />
      <DeleteWorkspaceCard />
    </div>
  )
}

/** The saved values are the new defaults, so no field is dirty. */
const SAVED = { keepDirtyValues: false, keepErrors: false }

/** Loads the company profile and edits it. */
export function CompanyCard() {
  const company = useApi(getCompany, {})
  return (
    <Card>
      <CardHeader
        title="Company profile"
        description="Who the workspace belongs to, and how it shows dates."
      />
      {company.data ? (
        <CompanyForm company={company.data} />
      ) : company.isError ? (
        <ErrorState
          title="Error loading the company profile"
          description={company.error.message}
          onRetry={() => company.refetch()}
        />
      ) : (
        <LoadingForm />
      )}
    </Card>
  )
}

function CompanyForm({ company }: { company: Company }) {
  const client = useQueryClient()
  const form = useForm<CompanyValues>({
    resolver: zodResolver(companyForm),
    mode: 'onTouched',
    values: company,
    // Changes that another Admin saved appear, but do not overwrite typed values.
    resetOptions: { keepDirtyValues: true, keepErrors: true },
  })
  useKeptValues('company', form)
  const unsaved = useUnsavedChanges(form.formState.isDirty)
  const save = useCall(saveCompany, {
    onSuccess: (saved) => {
      form.reset(saved, SAVED)
      client.setQueryData(keyOf(getCompany, {}), saved)
      toast({ title: 'Company profile updated', variant: 'success' })
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit((body) => save.mutate({ body }))}>
      <CompanyFields form={form} />
      <footer className="flex justify-end border-line border-t bg-sunken px-5 py-3.5 rounded-b-card">
        <Button type="submit" isPending={save.isPending}>
          {save.isPending ? 'Updating...' : 'Update'}
        </Button>
      </footer>
      {unsaved.question}
    </form>
  )
}

function LoadingForm() {
  return (
    <div className="grid gap-5 px-5 pb-6 sm:grid-cols-2">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {[0, 1, 2, 3, 4, 5, 6, 7].map((field) => (
        <div key={field} className="grid gap-1.5">
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  )
}

export const loadSettings: LoadPage = ({ ask, query }) =>
  query.get('tab') === 'users'
    ? Promise.all([ask(listMembers, {}), ask(listInvitations, {})])
    : Promise.all([
        ask(getCompany, {}),
        ask(listWorkspaceExports, {}),
        ask(getProgramRules, {}),
        ask(getFactorRule, {}),
        ask(getLeaving, {}),
      ])

function Users() {
  return (
    <div className="grid gap-6">
      <MemberTable />
      <InvitationList />
      <p className="text-soft text-sm">
        Who got access to which mailbox, and from whom, is in the{' '}
        <Link
          to={paths.access()}
          className="rounded-sm font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          access log
        </Link>
        .
      </p>
    </div>
  )
}

function AdminsOnly() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="Only an Admin can see this"
        description="Ask an Admin of the workspace if its company profile or its members need to change."
      />
    </Card>
  )
}
