/** Services that receive or send mail for domains, recognised by their MX hosts and SPF names. Only facts. */

export type MailService = {
  name: string
  /** What it does with incoming mail; a filter passes mail on to the host of the mailboxes. */
  does: 'mailboxes' | 'filter' | 'forwarding' | 'sending'
  /** Suffixes of its MX hosts. */
  mx: readonly string[]
  /** Suffixes of the names that SPF records include for it. */
  spf: readonly string[]
}

const service = (
  does: MailService['does'],
  name: string,
  mx: readonly string[],
  spf: readonly string[] = [],
): MailService => ({ name, does, mx, spf })

/** The first match counts: longer names come before the shorter ones that they end in. */
export const services: readonly MailService[] = [
  service(
    'mailboxes',
    'Google Workspace',
    ['google.com', 'googlemail.com', 'smtp.goog'],
    ['_spf.google.com', 'aspmx.googlemail.com', 'google.com'],
  ),
  service(
    'mailboxes',
    'Microsoft 365',
    ['mail.protection.outlook.com', 'mx.microsoft', 'mail.protection.office365.us'],
    ['spf.protection.outlook.com', 'outlook.com', 'spf.protection.office365.us'],
  ),
  service(
    'mailboxes',
    'Zoho Mail',
    ['zoho.com', 'zoho.eu', 'zoho.in', 'zoho.com.au', 'zohomail.com'],
    ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com', 'zohomail.eu', 'zohomail.in'],
  ),
  service('mailboxes', 'Fastmail', ['messagingengine.com'], ['messagingengine.com']),
  service('mailboxes', 'Proton Mail', ['protonmail.ch'], ['protonmail.ch']),
  service('mailboxes', 'iCloud Mail', ['mail.icloud.com'], ['icloud.com']),
  service(
    'mailboxes',
    'Yandex 360',
    ['mx.yandex.net', 'mx.yandex.ru', 'mx.yandex.com'],
    ['yandex.net', 'yandex.ru', 'yandex.com'],
  ),
  service('mailboxes', 'Mail.ru', ['mail.ru'], ['mail.ru']),
  service('mailboxes', 'Rackspace Email', ['emailsrvr.com'], ['emailsrvr.com']),
  service(
    'mailboxes',
    'IONOS Mail',
    [
      'ionos.com',
      'ionos.de',
      'ionos.co.uk',
      'ionos.fr',
      'ionos.es',
      'kundenserver.de',
      '1and1.com',
    ],
    ['kundenserver.de', 'perfora.net', 'ionos.com', 'ionos.de', '1and1.com'],
  ),
  service('mailboxes', 'OVHcloud', ['mail.ovh.net', 'mail.ovh.ca'], ['mx.ovh.com', 'mx.ovh.ca']),
  service('mailboxes', 'Gandi', ['mail.gandi.net'], ['_mailcust.gandi.net']),
  service('mailboxes', 'Namecheap Private Email', ['privateemail.com'], ['privateemail.com']),
  service('mailboxes', 'Titan', ['titan.email'], ['titan.email']),
  service('mailboxes', 'Hostinger Email', ['hostinger.com'], ['mail.hostinger.com']),
  service('mailboxes', 'GoDaddy Email', ['secureserver.net'], ['secureserver.net']),
  service('mailboxes', 'Migadu', ['migadu.com'], ['migadu.com']),
  service('mailboxes', 'Mailbox.org', ['mailbox.org'], ['mailbox.org']),
  service('mailboxes', 'Tuta', ['tutanota.de', 'tutanota.com'], ['tutanota.de', 'tutanota.com']),
  service('mailboxes', 'Infomaniak', ['infomaniak.ch'], ['infomaniak.ch']),
  service('mailboxes', 'Hetzner', ['your-server.de'], ['your-server.de']),
  service('mailboxes', 'Strato', ['rzone.de'], ['strato.de', 'rzone.de']),
  service('mailboxes', 'Runbox', ['runbox.com'], ['runbox.com']),
  service('mailboxes', 'Purelymail', ['purelymail.com'], ['purelymail.com']),
  service('mailboxes', 'Amazon WorkMail', ['amazonaws.com'], []),
  service('filter', 'Mimecast', ['mimecast.com', 'mimecast.co.za'], ['mimecast.com']),
  service(
    'filter',
    'Proofpoint',
    ['pphosted.com', 'ppe-hosted.com', 'gpphosted.com'],
    ['pphosted.com', 'ppe-hosted.com'],
  ),
  service('filter', 'Barracuda', ['barracudanetworks.com'], ['barracudanetworks.com']),
  service('filter', 'Cisco Secure Email', ['iphmx.com'], ['iphmx.com']),
  service(
    'filter',
    'Hornetsecurity',
    ['hornetsecurity.com', 'antispameurope.com'],
    ['hornetsecurity.com', 'antispameurope.com'],
  ),
  service('filter', 'Broadcom Email Security', ['messagelabs.com'], ['messagelabs.com']),
  service(
    'filter',
    'Trend Micro',
    ['trendmicro.com', 'trendmicro.eu'],
    ['trendmicro.com', 'trendmicro.eu'],
  ),
  service('filter', 'Sophos Email', ['sophos.com'], ['sophos.com']),
  service(
    'filter',
    'SpamExperts',
    ['spamexperts.com', 'antispamcloud.com'],
    ['spamexperts.com', 'antispamcloud.com'],
  ),
  service('filter', 'SiteGround', ['mailspamprotection.com'], ['mailspamprotection.com']),
  service('forwarding', 'Cloudflare Email Routing', ['mx.cloudflare.net'], ['mx.cloudflare.net']),
  service(
    'forwarding',
    'Namecheap Email Forwarding',
    ['registrar-servers.com'],
    ['efwd.registrar-servers.com'],
  ),
  service('forwarding', 'ImprovMX', ['improvmx.com'], ['improvmx.com']),
  service('forwarding', 'Forward Email', ['forwardemail.net'], ['forwardemail.net']),
  service('forwarding', 'SimpleLogin', ['simplelogin.co'], ['simplelogin.co']),
  service('sending', 'Amazon SES', [], ['amazonses.com']),
  service('sending', 'SendGrid', ['mx.sendgrid.net'], ['sendgrid.net']),
  service('sending', 'Mailgun', ['mailgun.org'], ['mailgun.org']),
  service('sending', 'Postmark', ['postmarkapp.com'], ['mtasv.net']),
  service('sending', 'Mailchimp', [], ['servers.mcsv.net', 'mcsv.net']),
  service('sending', 'Mandrill', [], ['mandrillapp.com']),
  service('sending', 'Brevo', [], ['brevo.com', 'sendinblue.com']),
  service('sending', 'Mailjet', [], ['mailjet.com']),
  service('sending', 'SparkPost', [], ['sparkpostmail.com']),
  service('sending', 'MailerSend', [], ['mailersend.net']),
  service('sending', 'MailerLite', [], ['mlsend.com']),
  service('sending', 'Campaign Monitor', [], ['createsend.com']),
  service('sending', 'Constant Contact', [], ['constantcontact.com']),
  service('sending', 'Klaviyo', [], ['klaviyomail.com']),
  service('sending', 'HubSpot', [], ['hubspotemail.net', 'hubspot.com']),
  service('sending', 'Salesforce', [], ['salesforce.com', 'exacttarget.com']),
  service('sending', 'Zendesk', [], ['zendesk.com']),
  service('sending', 'Freshdesk', [], ['freshdesk.com', 'freshemail.io']),
  service('sending', 'Help Scout', [], ['helpscoutemail.com']),
  service('sending', 'Intercom', [], ['intercom.io']),
  service('sending', 'Shopify', [], ['shopify.com']),
  service('sending', 'Squarespace', [], ['squarespace-mail.com']),
  service('sending', 'Atlassian', [], ['atlassian.net', 'stspg-customer.com']),
  service('sending', 'Exclaimer', [], ['exclaimer.net']),
]

/** The service of an MX host; null when unknown. */
export const serviceOfMx = (host: string): MailService | null =>
  services.find(({ mx }) => mx.some((suffix) => isWithin(host, suffix))) ?? null

/** The service of a name that an SPF record includes; null when unknown. */
export const serviceOfSpf = (name: string): MailService | null =>
  services.find(({ spf }) => spf.some((suffix) => isWithin(name, suffix))) ?? null

/** Whether `name` is `suffix` or below it: never 'notgoogle.com' for 'google.com'. */
export const isWithin = (name: string, suffix: string): boolean => {
  const plain = name.toLowerCase().replace(/\.$/, '')
  return plain === suffix || plain.endsWith(`.${suffix}`)
}
