/** An address that must never be reached, and where its host leads when a name server is asked for it. */
export interface HostileAddress {
  readonly url: string
  readonly leadsTo: string
}

/** The gateway's own names, as its configuration would give them. */
export const ownHosts: readonly string[] = ['api.rialto-gateway.com', 'gpu-a.rialto-gateway.com', '93.184.215.99']

/** Literal addresses in all their spellings; each leads to itself. */
const literals: readonly string[] = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '0', '0.0.0.0', '2130706433', '0x7f.1', '0x7f000001'],
  ...['0177.1', '0177.0.0.01', '017700000001', '127.0.0.1.', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1'],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1', '100.64.0.1'],
  ...[
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ],
  ...['0.1.2.3', '192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255'],
  ...['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.88.99.1', '93.184.215.99'],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:10.0.0.1]',
  ],
  ...['[::ffff:8.8.8.8]', '[fe80::1]', '[fe80::a9fe:a9fe]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2001:0:4136:e378::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]', '[4000::1]'],
]

/** Names that mean something inside a network, whatever a name server says. */
const names: readonly (readonly [host: string, leadsTo: string])[] = [
  ['localhost', '127.0.0.1'],
  ['localhost.', '127.0.0.1'],
  ['LOCALHOST', '127.0.0.1'],
  ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', '127.0.0.1'],
  ['app.localhost', '127.0.0.1'],
  ['localhost.localdomain', '127.0.0.1'],
  ['metadata.google.internal', '169.254.169.254'],
  ['metadata.google.internal.', '169.254.169.254'],
  ['instance-data', '169.254.169.254'],
  ['metadata', '169.254.169.254'],
  ['kubernetes', '10.96.0.1'],
  ['kubernetes.default.svc', '10.96.0.1'],
  ['kubernetes.default.svc.cluster.local', '10.96.0.1'],
  ['host.docker.internal', '172.17.0.1'],
  ['gateway.docker.internal', '172.17.0.1'],
  ['router.lan', '192.168.1.1'],
  ['printer.home.arpa', '192.168.1.9'],
  ['redis', '10.0.0.7'],
  ['api.rialto-gateway.com', '93.184.215.98'],
  ['API.rialto-gateway.com.', '93.184.215.98'],
  ['gpu-a.rialto-gateway.com', '93.184.215.97'],
  ['127.0.0.1.rebind-tests.com', '127.0.0.1'],
]

const forms: readonly string[] = [
  'http://pictures.rebind-tests.com@127.0.0.1/',
  'http://user:word@pictures.rebind-tests.com/',
  'http://127.0.0.1\\@pictures.rebind-tests.com/',
  'http://pictures.rebind-tests.com:22/',
  'http://pictures.rebind-tests.com:25/',
  'http://pictures.rebind-tests.com:443/',
  'https://pictures.rebind-tests.com:80/',
  'http://pictures.rebind-tests.com:6379/',
  'http://pictures.rebind-tests.com:5432/',
  'http://pictures.rebind-tests.com:11434/',
  'http://127.0.0.1%00.rebind-tests.com/',
  'ht\ntp://127.0.0.1/',
  'http://127.0.\t0.1/',
  'http://[fe80::1%25eth0]/',
  'file:///etc/passwd',
  'ftp://pictures.rebind-tests.com/a',
  'gopher://127.0.0.1:6379/_INFO',
  'ws://pictures.rebind-tests.com/',
  'blob:http://127.0.0.1/a',
  'javascript:alert(1)',
  'data:text/plain,a',
  '//127.0.0.1/',
  '',
]

export const hostileAddresses: readonly HostileAddress[] = [
  ...literals.map(host => ({ url: `http://${host}/latest/`, leadsTo: literalOf(host) })),
  ...names.map(([host, leadsTo]) => ({ url: `http://${host}/`, leadsTo })),
  ...forms.map(url => ({ url, leadsTo: '127.0.0.1' })),
]

function literalOf(host: string): string {
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
