import { beforeEach, expect, it } from 'vitest'
import type { IdentityStore } from '../domain/identity/identity-store.ts'
import { acceptSecret, checkSecret } from './check-secret.ts'

const [secret, other] = [Buffer.from('the secret of the test'), Buffer.from('another secret of it')]

let settings: Map<string, string>
const identity = {
  async writeSetting(name: string, value: string) {
    settings.set(name, value)
  },
  async keepSetting(name: string, value: string) {
    if (!settings.has(name)) settings.set(name, value)
    return settings.get(name) ?? ''
  },
} as IdentityStore

beforeEach(() => {
  settings = new Map()
})

it('a store that knows none yet, old or new, takes the secret of the first gateway', async () => {
  await checkSecret(identity, secret)
  await checkSecret(identity, secret)
  await expect(checkSecret(identity, other)).rejects.toThrow('made under another secret')
})

it('the operator may bind it to another one', async () => {
  await checkSecret(identity, secret)
  await acceptSecret(identity, other)
  await checkSecret(identity, other)
  await expect(checkSecret(identity, secret)).rejects.toThrow('made under another secret')
})

it('what is stored does not tell the secret', async () => {
  await checkSecret(identity, secret)
  const [stored = ''] = settings.values()
  expect(stored).toMatch(/^[0-9a-f]{64}$/)
  expect(stored).not.toContain(secret.toString('hex'))
})
