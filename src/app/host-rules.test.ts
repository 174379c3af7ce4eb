import { expect, it } from 'vitest'
import { judgeAddress } from '../adapters/outbound/judge-address.ts'
import { createConfig } from '../config/create-config.ts'
import { settingsSchema } from '../config/schema.ts'
import { hostRulesOf } from './host-rules.ts'

const settings = settingsSchema.parse({
  server: { publicUrl: 'https://API.Sell.Example.net', signInDomains: ['login.sell.net:8443'] },
  engines: [{ id: 'gpu', baseUrl: 'http://gpu.sell.net:80/v1' }],
  search: { baseUrl: 'https://93.184.215.20/' },
  fetch: { allowHosts: ['10.0.0.5:9000', '[fd00::5]:80', 'gpu.sell.net:8080'] },
})
const config = createConfig(settings, { folder: '/', dataFolder: '/', adminToken: null, createdSeconds: 0 })
const rules = hostRulesOf(config)

it.each([
  'https://api.sell.example.net/',
  'https://login.sell.net/',
  'http://gpu.sell.net/v1/models',
  'https://93.184.215.20/search',
  'http://10.0.0.5/',
])('what belongs to the gateway is refused: %s', address => {
  expect(() => judgeAddress(address, null, rules)).toThrow('The address cannot be fetched.')
})

it.each(['http://10.0.0.5:9000/', 'http://[fd00::5]/', 'http://[FD00:0::5]:80/', 'http://gpu.sell.net:8080/'])(
  'what the operator listed is allowed: %s',
  address => {
    expect(judgeAddress(address, null, rules).allowed).toBe(true)
  },
)

it('an engine of the configuration itself is no public host', () => {
  expect(judgeAddress('https://sell.net/', null, rules).allowed).toBe(false)
  expect(hostRulesOf(config)).toBe(rules)
})
