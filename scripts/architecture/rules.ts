/** The allowed imports between folders: the arrows of ARCHITECTURE.md as a table. Tests and test-world are exempt. */
import type { ICruiseOptions, IRegularForbiddenRuleType, IResolveOptions } from 'dependency-cruiser'

const base = ['server/lib', 'server/app.ts', 'server/log-events.ts', 'contract']

/** The parts of storage that doors may import: notifications, and whether the database is available. No rows. */
const pulse = ['notifications', 'database-away', 'ping'].map((file) => `server/storage/${file}.ts`)

/** A folder that is not listed in `may` is forbidden. */
const layers = [
  { folder: 'contract', may: [] },
  { folder: 'server/lib', may: [] },
  // Browser and server fold letters alike.
  { folder: 'server/standards', may: ['server/lib', 'contract/mail/fold-letters.ts'] },
  {
    folder: 'server/dns',
    may: ['server/lib', 'server/standards', 'contract', 'server/storage/rows'],
  },
  { folder: 'server/settings', may: ['server/lib', 'server/config.ts', 'contract'] },
  { folder: 'server/storage', may: ['server/lib', 'server/config.ts', 'contract'] },
  {
    folder: 'server/app.ts',
    may: [
      ...['server/config.ts', 'server/caches.ts', 'server/log-events.ts', 'server/mail-events.ts'],
      ...['server/lib', 'server/storage'],
    ],
  },
  { folder: 'server/caches.ts', may: ['server/lib', 'server/standards'] },
  { folder: 'server/log-events.ts', may: ['server/lib'] },
  { folder: 'server/mail-events.ts', may: ['server/log-events.ts', 'server/lib', 'contract'] },
  { folder: 'server/config.ts', may: ['server/settings', 'server/lib'] },
  { folder: 'server/features', may: [...base, 'server/standards', 'server/dns', 'server/storage'] },
  { folder: 'server/http', may: [...base, ...pulse, 'server/features', 'server/standards'] },
  { folder: 'server/mail', may: [...base, ...pulse, 'server/features', 'server/standards'] },
  { folder: 'server/terminal', may: [...base, 'server/config.ts', 'server/features'] },
  { folder: 'server/jobs', may: [...base, ...pulse, 'server/features'] },
  // Tools that know no words of the product.
  { folder: 'web/ui', may: ['web/lib/format.ts', 'web/lib/store.ts', 'web/lib/time'] },
  { folder: 'web/lib', may: ['contract'] },
  {
    folder: 'web/first-view',
    may: ['contract', 'web/lib', 'web/paths.ts', 'web/routes.tsx', 'web/page-titles.ts'],
  },
  { folder: 'web/mail-content', may: ['contract', 'web/ui', 'web/lib'] },
  { folder: 'web/paged-lists', may: ['contract', 'web/ui', 'web/lib'] },
  { folder: 'web/deletions', may: ['contract', 'web/ui', 'web/lib', 'web/paths.ts'] },
  { folder: 'web/dns-records', may: ['contract', 'web/ui', 'web/lib', 'web/paths.ts'] },
  { folder: 'web/second-step', may: ['contract', 'web/ui', 'web/lib'] },
  {
    folder: 'web/features',
    may: [
      ...['contract', 'web/ui', 'web/lib', 'web/dns-records', 'web/mail-content', 'web/paths.ts'],
      ...['web/deletions', 'web/paged-lists', 'web/second-step'],
    ],
  },
]

/** Server features, lowest first: a feature may use only those before it (decision 050). */
const features = [
  ...[
    'limits',
    'web-files',
    'outbox',
    'tenants',
    'audit',
    'operators',
    'factors',
    'accounts',
    'webhooks',
    'workspaces',
    'domains',
    'certificates',
  ],
  ...['mailboxes', 'programs', 'keys'],
  ...[
    'billing',
    'ownership',
    'checks',
    'members',
    'junk',
    'messages',
    'sending',
    'vacation',
    'intake',
  ],
  ...['transfer', 'pictures', 'unsubscribing', 'calendar', 'test-mails', 'stats', 'moves'],
  ...['exports', 'deletions', 'backups', 'operating', 'audit-names'],
]

/** The web rooms around one mailbox, lowest first; all other rooms are separate. */
const mailRooms = ['mailbox-access', 'compose', 'mailbox-settings', 'mail']

const test = '\\.test\\.tsx?$'
const at = (path: string): string => `^${path.replace('.', '\\.')}(/|$)`

const rule = (
  name: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ name, severity: 'error', from, to })

export const rules: IRegularForbiddenRuleType[] = [
  rule('no cycles', {}, { circular: true }),
  rule('no unresolved imports', {}, { couldNotResolve: true }),
  ...layers.map(({ folder, may }) =>
    rule(
      `layer ${folder}`,
      { path: at(folder), pathNot: test },
      { path: '^(contract|server|web)/', pathNot: [folder, ...may].map(at) },
    ),
  ),
  rule(
    'only tests use test-world and scripts',
    { path: '^(contract|server|web)/', pathNot: test },
    { path: '^(test-world|scripts|e2e|bench|demo)/' },
  ),
  rule('web and server meet only in contract', { path: '^web/' }, { path: '^server/' }),
  rule('server never imports web', { path: '^server/' }, { path: '^web/' }),
  rule(
    'web features stay apart',
    {
      path: '^web/features/([^/]+)/',
      pathNot: mailRooms.map((room) => at(`web/features/${room}`)),
    },
    { path: '^web/features/', pathNot: '^web/features/$1/' },
  ),
  ...mailRooms.map((room, index) =>
    rule(
      `mail room order ${room}`,
      { path: at(`web/features/${room}`) },
      {
        path: '^web/features/',
        pathNot: mailRooms.slice(0, index + 1).map((each) => at(`web/features/${each}`)),
      },
    ),
  ),
  ...features.map((feature, index) =>
    rule(
      `feature order ${feature}`,
      { path: at(`server/features/${feature}`), pathNot: test },
      {
        path: '^server/features/',
        pathNot: features.slice(0, index + 1).map((each) => at(`server/features/${each}`)),
      },
    ),
  ),
  rule(
    'mailboxes know nothing of their access',
    { path: '^server/features/mailboxes/[^/]+$', pathNot: test },
    { path: at('server/features/mailboxes/access') },
  ),
  rule(
    'every feature has its place in the order',
    { path: '^server/features/', pathNot: features.map((each) => at(`server/features/${each}`)) },
    {},
  ),
  rule(
    'a store is private to its feature',
    { path: '^server/features/([^/]+)/', pathNot: test },
    { path: '-store\\.ts$', pathNot: '^server/features/$1/' },
  ),
  // What a room lets others ask of its tables is in its `-queries.ts` (decision 054).
  rule(
    'only features use stores and queries',
    { path: '^server/', pathNot: ['^server/features/', test] },
    { path: '^server/features/.*-(store|queries)\\.ts$' },
  ),
  rule(
    'SQL only in stores',
    // The job runner needs a pool; its settings are in `App`.
    {
      path: '^server/',
      pathNot: ['^server/(storage/|app\\.ts$|jobs/runner\\.ts$)', '-(store|queries)\\.ts$', test],
    },
    { path: 'node_modules/(kysely|pg)/' },
  ),
  rule(
    'contract is plain zod',
    { path: '^contract/', pathNot: test },
    { pathNot: ['^contract/', 'node_modules/zod/'] },
  ),
]

export const options: ICruiseOptions = {
  ruleSet: { forbidden: rules },
  validate: true,
  // Needs TypeScript before 7, so both are installed; with 7 alone it finds no file and passes.
  parser: 'tsc',
  // An import of a type counts too.
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
}

/** Resolves packages like Node and Vite: by their `exports`, for imports. */
export const resolving: Partial<IResolveOptions> = {
  exportsFields: ['exports'],
  conditionNames: ['import', 'module', 'node', 'default', 'types'],
  mainFields: ['module', 'main', 'types'],
  extensions: ['.ts', '.tsx', '.js', '.d.ts'],
}
