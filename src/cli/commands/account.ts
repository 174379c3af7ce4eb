import { defineCommand } from 'citty'
import type { AccountMode } from '../../core/principal.ts'
import type { Account } from '../../domain/identity/types.ts'
import { openAccount } from '../../pipeline/open-account.ts'
import { encodeAccount, renderAccount, renderAccounts } from '../account-row.ts'
import { UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { print, printJson } from '../output.ts'
import { parseUsdValue } from '../parse-values.ts'
import { accountNamed, type StoreContext, withStore } from '../with-store.ts'

const nameArgument = { name: { type: 'positional', required: true, description: 'the account’s name or id' } } as const
const modes: AccountMode[] = ['soft', 'strict']
const modeArgument = {
  mode: {
    type: 'enum',
    options: modes,
    description: 'soft may go below zero by limits.overdraftUsd, strict never; default: soft',
  },
} as const

const create = defineCommand({
  meta: { description: 'Makes an account.' },
  args: {
    name: { type: 'positional', required: true, description: 'letters, digits, spaces and . _ @ -' },
    credit: { type: 'string', valueHint: 'USD', description: 'starting credit in dollars' },
    ...modeArgument,
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const creditNano = args.credit === undefined ? 0n : parseUsdValue('--credit', args.credit)
    await withStore(args, async context => {
      const account = await openAccount(context.accounts, { name: args.name, mode: args.mode ?? 'soft', creditNano })
      await show(context, account, args.json)
    })
  },
})

const set = defineCommand({
  meta: { description: 'Changes an account.' },
  args: {
    ...nameArgument,
    ...modeArgument,
    pro: { type: 'boolean', description: 'may use models that are for pro accounts only; --no-pro takes it back' },
    'diem-per-day': {
      type: 'string',
      valueHint: 'N',
      description: 'daily allowance in DIEM, new at 00:00 UTC; 0 ends it',
    },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const { mode, pro, 'diem-per-day': diem } = args
    if (mode === undefined && pro === undefined && diem === undefined)
      throw new UsageError('nothing to change: give --mode, --pro or --diem-per-day.')
    const diemPerDayNano = diem === undefined ? undefined : parseUsdValue('--diem-per-day', diem, 'DIEM')
    await withStore(args, async context => {
      const { id } = await accountNamed(context, args.name)
      await context.storage.identity.changeAccount(id, {
        ...(mode === undefined ? {} : { mode }),
        ...(pro === undefined ? {} : { pro }),
        ...(diemPerDayNano === undefined ? {} : { diemPerDayNano }),
      })
      await show(context, await accountNamed(context, id), args.json)
    })
  },
})

const list = defineCommand({
  meta: { description: 'Lists the accounts with their balances.' },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withStore(args, async ({ storage, ground }) => {
      const rows = []
      for (const account of await storage.identity.listAccounts()) {
        rows.push(encodeAccount(account, await storage.ledger.balance(account.id), ground.clock.now()))
      }
      if (args.json === true) printJson(rows)
      else print(rows.length === 0 ? 'No accounts yet. Make one: rialto account create NAME' : renderAccounts(rows))
    }),
})

const showOne = defineCommand({
  meta: { description: 'Shows an account.' },
  args: { ...nameArgument, ...configArgument, ...jsonArgument },
  run: ({ args }) => withStore(args, async context => show(context, await accountNamed(context, args.name), args.json)),
})

async function show({ storage, ground }: StoreContext, account: Account, asJson: boolean | undefined): Promise<void> {
  const balance = await storage.ledger.balance(account.id)
  const nowMs = ground.clock.now()
  if (asJson === true) printJson(encodeAccount(account, balance, nowMs))
  else print(renderAccount(account, balance, nowMs))
}

export const accountCommand = defineCommand({
  meta: { description: 'Makes, changes and shows accounts.' },
  subCommands: { create, set, list, show: showOne },
})
