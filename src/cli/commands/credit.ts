import { defineCommand } from 'citty'
import { formatUsd } from '../../core/money.ts'
import { StoreConflict } from '../../core/store-error.ts'
import { type CreditOrder, creditAccount } from '../../pipeline/open-account.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { note, print, printJson } from '../output.ts'
import { parseUsdValue } from '../parse-values.ts'
import { accountNamed, type StoreContext, withStore } from '../with-store.ts'

const currencies: string[] = ['usd', 'bundled', 'earned']
const noteCharactersMax = 500
const keyCharactersMax = 200

/** A manual top-up (operator.md §2). It works while the gateway runs, which sees it at once. */
export const creditCommand = defineCommand({
  meta: { description: 'Credits an account by hand.' },
  args: {
    name: { type: 'positional', required: true, description: 'the account’s name or id' },
    amount: { type: 'positional', required: true, description: 'dollars, such as 25 or 2.50' },
    currency: { type: 'enum', options: currencies, description: 'default: usd; the others are for a later version' },
    note: { type: 'string', valueHint: 'TEXT', description: 'kept with the transfer and shown in statements' },
    key: {
      type: 'string',
      valueHint: 'ID',
      description: 'credits once, however often the command is repeated with it',
    },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    if ((args.currency ?? 'usd') !== 'usd') {
      throw new CommandError(`Credit in ${args.currency} comes with a later version; nothing was credited.`)
    }
    const amountNano = parseUsdValue('AMOUNT', args.amount)
    if (amountNano === 0n) throw new UsageError('AMOUNT must be more than 0.')
    const text = bounded('--note', args.note ?? '', noteCharactersMax)
    const key = args.key === undefined ? null : bounded('--key', args.key, keyCharactersMax)
    await withStore(args, async context => {
      const account = await accountNamed(context, args.name)
      const idempotencyKey = key ?? context.ground.random.hex(16)
      const { transferId, repeated } = await credit(context, { account, amountNano, note: text, idempotencyKey })
      const { balanceNano } = await context.storage.ledger.balance(account.id)
      const creditedUsd = formatUsd(amountNano)
      const balanceUsd = formatUsd(balanceNano)
      if (repeated) note(`This was credited before with the key ${key}; nothing was credited now.`)
      if (args.json === true) printJson({ account: account.name, creditedUsd, balanceUsd, transferId })
      else if (repeated) print(`${account.name} has ${balanceUsd} USD (${transferId})`)
      else print(`${account.name} was credited ${creditedUsd} USD and has ${balanceUsd} USD (${transferId})`)
    })
  },
})

function bounded(name: string, text: string, charactersMax: number): string {
  if (text.length > charactersMax) throw new UsageError(`${name} must have at most ${charactersMax} characters.`)
  return text
}

async function credit({ accounts }: StoreContext, order: CreditOrder) {
  try {
    return await creditAccount(accounts, order)
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error
    throw new CommandError(
      `The key ${order.idempotencyKey} stands for another credit: another account, amount or note. Nothing was credited.`,
    )
  }
}
