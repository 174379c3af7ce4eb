import { defineCommand } from 'citty'
import { issueApiKey, type KeyOrder } from '../../domain/identity/api-key.ts'
import type { ApiKey, KeyPrivacy, LimitPeriod } from '../../domain/identity/types.ts'
import { checkSecret } from '../../pipeline/check-secret.ts'
import { UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { encodeKey } from '../key-row.ts'
import { note, print, printJson } from '../output.ts'
import { parseCount, parseEnd, parseNames, parseUsdValue } from '../parse-values.ts'
import { accountNamed, type StoreContext, withStore } from '../with-store.ts'

const types: ApiKey['type'][] = ['inference', 'admin']
const periods: LimitPeriod[] = ['epoch', 'month', 'lifetime']
const privacies: KeyPrivacy[] = ['all', 'private_text', 'private_only']
const labelCharactersMax = 100
const rateMax = 999_999_999

const createArguments = {
  account: { type: 'string', valueHint: 'NAME', required: true, description: 'the account that pays' },
  type: { type: 'enum', options: types, description: 'default: inference' },
  label: { type: 'string', valueHint: 'TEXT', description: 'what the key is for' },
  'limit-usd': {
    type: 'string',
    valueHint: 'N',
    description: 'the most that it may spend per period; 0 means nothing',
  },
  'limit-diem': {
    type: 'string',
    valueHint: 'N',
    description: 'the same in DIEM, which the other limit does not count',
  },
  period: {
    type: 'enum',
    options: periods,
    description: 'of the limit, in UTC (an epoch is a day); default: lifetime',
  },
  expires: {
    type: 'string',
    valueHint: 'DATE',
    description: 'a date (valid to the end of that UTC day) or an ISO time; default: never',
  },
  privacy: { type: 'enum', options: privacies, description: 'which models it may use by their privacy; default: all' },
  models: { type: 'string', valueHint: 'A,B', description: 'the only models that it may use; default: all' },
  rpm: { type: 'string', valueHint: 'N', description: 'requests a minute, to all models together; default: no limit' },
  tpm: { type: 'string', valueHint: 'N', description: 'the same of tokens' },
  rpd: { type: 'string', valueHint: 'N', description: 'requests a day, in UTC' },
  concurrency: { type: 'string', valueHint: 'N', description: 'requests at a time; default: as many as the account' },
} as const

/** `key create`: the only moment at which the key itself is there to be shown. */
export const keyCreateCommand = defineCommand({
  meta: { description: 'Makes an API key, which is printed once.' },
  args: { ...createArguments, ...configArgument, ...jsonArgument },
  async run({ args }) {
    const order = readOrder(args)
    await withStore(args, async context => {
      const account = await accountNamed(context, args.account)
      const issued = await issue(context, { ...order, accountId: account.id })
      warn(context, issued.key)
      const { id } = issued.key
      if (args.json === true) printJson({ id, key: issued.text, ...encodeKey(issued.key, account.name) })
      else print(`${issued.text}\n\nThis is ${id} of the account ${account.name}. It is not shown again.`)
    })
  },
})

interface CreateValues {
  readonly type?: ApiKey['type'] | undefined
  readonly label?: string | undefined
  readonly 'limit-usd'?: string | undefined
  readonly 'limit-diem'?: string | undefined
  readonly period?: LimitPeriod | undefined
  readonly expires?: string | undefined
  readonly privacy?: KeyPrivacy | undefined
  readonly models?: string | undefined
  readonly rpm?: string | undefined
  readonly tpm?: string | undefined
  readonly rpd?: string | undefined
  readonly concurrency?: string | undefined
}

/** @throws UsageError */
function readOrder(values: CreateValues): Omit<KeyOrder, 'accountId'> {
  const { type = 'inference', label = '', period = 'lifetime', privacy = 'all', expires, models } = values
  const { 'limit-usd': limit, 'limit-diem': limitDiem } = values
  if (label.length > labelCharactersMax) {
    throw new UsageError(`--label must have at most ${labelCharactersMax} characters.`)
  }
  return {
    ...{ type, label, period, privacy },
    limitNano: limit === undefined ? null : parseUsdValue('--limit-usd', limit),
    limitDiemNano: limitDiem === undefined ? null : parseUsdValue('--limit-diem', limitDiem, 'DIEM'),
    expiresAtMs: expires === undefined ? null : parseEnd('--expires', expires),
    allowedModels: models === undefined ? null : parseNames('--models', models),
    requestsPerMinute: rateOf('--rpm', values.rpm),
    tokensPerMinute: rateOf('--tpm', values.tpm),
    requestsPerDay: rateOf('--rpd', values.rpd),
    concurrency: rateOf('--concurrency', values.concurrency),
  }
}

/** 0 passes nothing, as everywhere. */
function rateOf(name: string, text: string | undefined): number | null {
  return text === undefined ? null : parseCount(name, text, { min: 0, max: rateMax })
}

async function issue({ installation, ground, storage }: StoreContext, order: KeyOrder) {
  const { secret, random, clock } = ground
  const { prefix } = installation.config.keys
  await checkSecret(storage.identity, secret)
  const issued = issueApiKey(order, { prefix, secret, random, nowMs: clock.now() })
  await storage.identity.createKey(issued.key, issued.hash)
  return issued
}

function warn({ installation, ground }: StoreContext, key: ApiKey): void {
  if (key.expiresAtMs !== null && key.expiresAtMs <= ground.clock.now()) note('This key has expired already.')
  const configured = new Set(installation.config.models.map(({ id }) => id))
  for (const model of key.allowedModels ?? []) {
    if (configured.size > 0 && !configured.has(model)) note(`The configuration has no model "${model}" now.`)
  }
}
