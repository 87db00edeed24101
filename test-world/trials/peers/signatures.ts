/** OpenDKIM and dkimpy verify our signatures. They query a name server of ours on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DnsRecord } from '#contract/domains.ts'
import { aDnsServer } from '../../dns/dns-server.ts'
import { run } from './tools.ts'

export type Judged = {
  accepted: Record<'opendkim' | 'dkimpyRsa' | 'dkimpyEd25519', number>
  faults: string[]
}

/** libopendkim queries port 53 of the resolver in resolv.conf; there is no option for another. */
const RESOLVER = '127.0.0.153'
const OPENDKIM = `
mount --bind "$1/resolv.conf" /etc/resolv.conf || exit 1
for mail in "$1"/*.eml; do
  said=$(opendkim-testmsg -C -t "$1" < "$mail" 2>&1) && echo "$mail opendkim ok" || echo "$mail opendkim" $said
done
`

/** Like the command dkimverify, through dnspython, which accepts a resolver. */
const DKIMVERIFY = `
import contextlib, glob, io, sys, dns.resolver
from dkim.dkimverify import main
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = ['${RESOLVER}']
dns.resolver.default_resolver = resolver
for mail in sorted(glob.glob(sys.argv[1] + '/*.eml')):
    for index, name in enumerate(['dkimpyRsa', 'dkimpyEd25519']):
        sys.argv = ['dkimverify', '--index', str(index)]
        sys.stdin = open(mail)
        said = io.StringIO()
        code = 0
        with contextlib.redirect_stdout(said):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
            except Exception as error:
                code = 1
                said.write(repr(error))
        print(mail, name, 'ok' if not code else said.getvalue().strip(), flush=True)
`

type Judge = keyof Judged['accepted']

/** `keys`: the published records. Each mail has an RSA and an Ed25519 signature. */
export const judgeSignatures = async (
  mails: readonly Buffer[],
  keys: readonly Pick<DnsRecord, 'name' | 'value'>[],
): Promise<Judged> => {
  const dns = await aDnsServer({ host: RESOLVER, port: 53 })
  for (const { name, value } of keys) dns.set(name, 'TXT', [value])
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-peers-'))
  try {
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${RESOLVER}\n`)
    writeFileSync(join(folder, 'judge.py'), DKIMVERIFY)
    for (const [n, mail] of mails.entries())
      writeFileSync(join(folder, `${String(n).padStart(3, '0')}.eml`), mail)
    const judged: Judged = { accepted: { opendkim: 0, dkimpyRsa: 0, dkimpyEd25519: 0 }, faults: [] }
    const all = [
      await run('unshare', ['-m', 'sh', '-c', OPENDKIM, 'sh', folder]),
      await run('/usr/bin/python3', [join(folder, 'judge.py'), folder]),
    ]
    for (const line of all.flatMap(({ said }) => said.split('\n'))) {
      const [, mail, judge, verdict] = /([^/]+)\.eml (\w+) ?(.*)$/.exec(line) ?? []
      if (verdict === 'ok') judged.accepted[judge as Judge] += 1
      else judged.faults.push(`${judge} refuses mail ${mail}: ${verdict ?? line}`)
    }
    return judged
  } finally {
    await dns.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
