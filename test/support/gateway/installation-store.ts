import { openStorage, type Storage } from '../../../src/adapters/storage/open-storage.ts'
import { cryptoRandom } from '../../../src/adapters/system/crypto-random.ts'
import { systemClock } from '../../../src/adapters/system/system-clock.ts'
import type { CreditCurrency } from '../../../src/core/currency.ts'
import { parseUsd } from '../../../src/core/money.ts'
import type { ChargeLine } from '../../../src/core/price.ts'
import type { AccountMode } from '../../../src/core/principal.ts'
import { issueApiKey, type KeyOrder } from '../../../src/domain/identity/api-key.ts'
import type { VerifyReport } from '../../../src/domain/ledger/types.ts'
import { Secret } from '../../../src/lib/secret.ts'
import { creditAccount, openAccount } from '../../../src/pipeline/open-account.ts'

/**
 * The store of an installation, opened beside its running gateway as the operator's commands do it, and kept open: a
 * command of its own for every account and every check would take most of the time of the tests.
 */
export interface InstallationStore {
  openAccount(options: { name: string; credit: number; mode: AccountMode }): Promise<string>
  issueKey(accountName: string, order?: KeyOptions): Promise<{ readonly id: string; readonly key: string }>
  revokeKey(id: string): Promise<void>
  /** An amount as a command takes it; dollars when no currency is named. */
  credit(accountName: string, amount: number | string, currency?: CreditCurrency): Promise<void>
  /** Gives the account a daily allowance. */
  allow(accountName: string, diemPerDay: string): Promise<void>
  /** What the account's requests were charged for, in the order of the bills. */
  billLines(accountName: string): Promise<readonly ChargeLine[]>
  /** What `rialto ledger verify` says. */
  verify(): Promise<VerifyReport>
  close(): Promise<void>
}

export type KeyOptions = Partial<Omit<KeyOrder, 'accountId' | 'label'>>

const nothing = (): void => undefined

/** The books are a file, or the URL of a database. */
export async function openInstallationStore(books: string, secretText: string): Promise<InstallationStore> {
  const secret = Buffer.from(secretText)
  const storage = await openStorage({
    store: books.startsWith('postgres:')
      ? { kind: 'postgres', url: new Secret(books) }
      : { kind: 'sqlite', path: books },
    secret,
    clock: systemClock,
    random: cryptoRandom,
    logger: { info: nothing, warn: nothing, error: nothing },
    mode: 'command',
    onFatal: error => {
      throw error
    },
  })
  return createInstallationStore(storage, secret)
}

function createInstallationStore(storage: Storage, secret: Buffer): InstallationStore {
  const { identity, ledger, usage } = storage
  const accounts = { identity, ledger, clock: systemClock, random: cryptoRandom }
  async function accountNamed(name: string) {
    const account = await identity.findAccount(name)
    if (account === null) throw new Error(`there is no account ${name}`)
    return account
  }
  return {
    async openAccount({ name, credit, mode }) {
      const { id } = await openAccount(accounts, { name, mode, creditNano: parseUsd(String(credit)) })
      return id
    },
    async issueKey(name, order = {}) {
      const { id: accountId } = await accountNamed(name)
      const issuer = { prefix: 'vk-', secret, random: cryptoRandom, nowMs: systemClock.now() }
      const { key, hash, text } = issueApiKey({ accountId, label: `a key of ${name}`, ...order }, issuer)
      await identity.createKey(key, hash)
      return { id: key.id, key: text }
    },
    async revokeKey(id) {
      await identity.revokeKey(id, systemClock.now())
    },
    async credit(name, amount, currency = 'usd') {
      const idempotencyKey = cryptoRandom.hex(16)
      const account = await accountNamed(name)
      const amountNano = parseUsd(String(amount))
      await creditAccount(accounts, { account, amountNano, currency, note: 'test', idempotencyKey })
    },
    async allow(name, diemPerDay) {
      await identity.changeAccount((await accountNamed(name)).id, { diemPerDayNano: parseUsd(diemPerDay) })
    },
    async billLines(name) {
      const { id: accountId } = await accountNamed(name)
      const everything = {
        keyId: null,
        model: null,
        outcome: null,
        status: null,
        fromMs: null,
        toMs: null,
        cursor: null,
      }
      const { records } = await usage.list({ accountId, ...everything, limit: 1_000 })
      return records.flatMap(({ lines }) => lines)
    },
    verify: () => ledger.verify(),
    close: () => storage.close(),
  }
}
