import { type Kysely, sql } from 'kysely'

/** Invitations to a workspace, and the tokens of their mailed links. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table invitations (
    id uuid primary key,
    workspace_id uuid not null references workspaces on delete cascade,
    email text not null,
    role text not null check (role in ('Admin', 'Editor', 'User')),
    invited_by uuid references users on delete set null,
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    outcome text check (outcome in ('joined', 'declined', 'revoked')),
    ended_at timestamptz
  )`,
  'create unique index invitations_open on invitations (workspace_id, email) where outcome is null',
  'create index invitations_email on invitations (email) where outcome is null',
  'create index invitations_inviter on invitations (invited_by)',
  'create index invitations_expiry on invitations (expires_at)',
  `create table invitation_links (
    token_hash bytea primary key,
    invitation_id uuid not null references invitations on delete cascade,
    workspace_id uuid not null,
    expires_at timestamptz not null
  )`,
  'create index invitation_links_invitation on invitation_links (invitation_id)',
]
