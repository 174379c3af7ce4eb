import type { Account, Gateway } from '../gateway/index.ts'
import { type AdminAnswer, adminClient } from './admin-client.ts'

type Call = ReturnType<typeof adminClient>
type AccountOptions = NonNullable<Parameters<Gateway['openAccount']>[1]>

/** Questions on `/api/v1`, each of an account of its own, so that none meets what another one used up. */
export function freshCallers(gateway: Pick<Gateway, 'client' | 'account' | 'openAccount'>, model: string) {
  const call = adminClient(gateway, 'main')
  let accounts = 0
  const open = (options: AccountOptions = {}): Promise<Account> => gateway.openAccount(`caller-${++accounts}`, options)
  const newKey = async (key: NonNullable<AccountOptions['key']> = {}) => (await open({ key })).key

  /** `change` is what differs from an ordinary body, or the whole body as text. */
  async function ask(change: object | string = {}, options: Parameters<Call>[2] = {}): Promise<AdminAnswer> {
    const ordinary = { model, messages: [{ role: 'user', content: 'Hi' }] }
    const body = typeof change === 'string' ? change : { ...ordinary, ...change }
    return call('POST', '/chat/completions', {
      ...options,
      key: options.key === undefined ? await newKey() : options.key,
      body,
    })
  }

  return { call, open, newKey, ask }
}
