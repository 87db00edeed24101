/** Which folder may import which: the arrows of ARCHITECTURE.md as a table. Tests and test-world stand outside it. */
import type { ICruiseOptions, IRegularForbiddenRuleType, IResolveOptions } from 'dependency-cruiser'

const base = ['server/lib', 'server/app.ts', 'server/log-events.ts', 'contract']

/** What storage tells the doors: what changed, and whether the database is there. No rows. */
const pulse = ['notifications', 'database-away', 'ping'].map((file) => `server/storage/${file}.ts`)

/** A folder that is not listed in `may` is forbidden. */
const layers = [
  { folder: 'contract', may: [] },
  { folder: 'server/lib', may: [] },
  { folder: 'server/standards', may: ['server/lib'] },
  {
    folder: 'server/dns',
    may: ['server/lib', 'server/standards', 'contract', 'server/storage/rows'],
  },
  { folder: 'server/settings', may: ['server/lib', 'server/config.ts', 'contract'] },
  { folder: 'server/storage', may: ['server/lib', 'server/config.ts', 'contract'] },
  {
    folder: 'server/app.ts',
    may: ['server/config.ts', 'server/log-events.ts', 'server/lib', 'server/storage'],
  },
  { folder: 'server/log-events.ts', may: ['server/lib'] },
  { folder: 'server/config.ts', may: ['server/settings', 'server/lib'] },
  { folder: 'server/features', may: [...base, 'server/standards', 'server/dns', 'server/storage'] },
  { folder: 'server/http', may: [...base, ...pulse, 'server/features', 'server/standards'] },
  { folder: 'server/mail', may: [...base, ...pulse, 'server/features', 'server/standards'] },
  { folder: 'server/jobs', may: [...base, 'server/features'] },
  { folder: 'web/ui', may: [] },
  { folder: 'web/lib', may: ['contract'] },
  { folder: 'web/first-view', may: ['contract', 'web/lib', 'web/paths.ts', 'web/routes.tsx'] },
  { folder: 'web/mail-content', may: ['contract', 'web/ui', 'web/lib'] },
  { folder: 'web/dns-records', may: ['contract', 'web/ui', 'web/lib'] },
  {
    folder: 'web/features',
    may: [
      ...['contract', 'web/ui', 'web/lib', 'web/dns-records', 'web/mail-content', 'web/paths.ts'],
    ],
  },
]

/** Server features, lowest first: a feature may use only those before it. */
const features = [
  ...['limits', 'outbox', 'accounts', 'workspaces', 'billing', 'domains', 'ownership', 'checks'],
  ...['mailboxes', 'junk', 'messages', 'intake', 'sending', 'vacation', 'transfer', 'pictures'],
  ...['stats', 'moves'],
]

/** What the owner of a table lets later features ask and write. */
const sharedStores = [
  ...['domains/domains', 'domains/records', 'domains/setting', 'ownership/ownership'],
  ...['limits/throttle', 'mailboxes/readable', 'messages/messages', 'messages/changes'],
  ...['messages/marks', 'messages/folders'],
].map((store) => `^server/features/${store}-store\\.ts$`)

/** The rooms of the web that stand around one mailbox, lowest first; all others stay apart. */
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
    'every feature has its place in the order',
    { path: '^server/features/', pathNot: features.map((each) => at(`server/features/${each}`)) },
    {},
  ),
  rule(
    'a store is private to its feature',
    { path: '^server/features/([^/]+)/', pathNot: test },
    { path: '-store\\.ts$', pathNot: ['^server/features/$1/', ...sharedStores] },
  ),
  rule(
    'only features use stores',
    { path: '^server/', pathNot: ['^server/features/', test] },
    { path: '^server/features/.*-store\\.ts$' },
  ),
  rule(
    'SQL only in stores',
    // The job runner takes a pool, which `App` carries.
    {
      path: '^server/',
      pathNot: ['^server/(storage/|app\\.ts$|jobs/runner\\.ts$)', '-store\\.ts$', test],
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
  // Needs TypeScript before 7, which is why both are installed; with 7 alone it sees no file and is content.
  parser: 'tsc',
  // An import of a type is an arrow too.
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
}

/** How Node and Vite find a package: by its `exports`, for imports. */
export const resolving: Partial<IResolveOptions> = {
  exportsFields: ['exports'],
  conditionNames: ['import', 'module', 'node', 'default', 'types'],
  mainFields: ['module', 'main', 'types'],
  extensions: ['.ts', '.tsx', '.js', '.d.ts'],
}
