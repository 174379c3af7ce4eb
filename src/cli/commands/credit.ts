import { defineCommand } from 'citty'
import type { CreditCurrency } from '../../core/currency.ts'
import { type Amount, formatUsd } from '../../core/money.ts'
import { StoreConflict } from '../../core/store-error.ts'
import type { Balance } from '../../domain/ledger/types.ts'
import { type CreditOrder, creditAccount } from '../../pipeline/open-account.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { note, print, printJson } from '../output.ts'
import { parseUsdValue } from '../parse-values.ts'
import { accountNamed, type StoreContext, withStore } from '../with-store.ts'

const currencies: CreditCurrency[] = ['usd', 'bundled', 'earned']
const noteCharactersMax = 500
const keyCharactersMax = 200

/** A manual top-up (operator.md §2). It works while the gateway runs, which sees it at once. */
export const creditCommand = defineCommand({
  meta: { description: 'Credits an account by hand.' },
  args: {
    name: { type: 'positional', required: true, description: 'the account’s name or id' },
    amount: { type: 'positional', required: true, description: 'dollars, such as 25 or 2.50' },
    currency: { type: 'enum', options: currencies, description: 'default: usd; the others are spent before it' },
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
    const currency = args.currency ?? 'usd'
    const amountNano = parseUsdValue('AMOUNT', args.amount)
    if (amountNano === 0n) throw new UsageError('AMOUNT must be more than 0.')
    const text = bounded('--note', args.note ?? '', noteCharactersMax)
    const key = args.key === undefined ? null : bounded('--key', args.key, keyCharactersMax)
    await withStore(args, async context => {
      const account = await accountNamed(context, args.name)
      const idempotencyKey = key ?? context.ground.random.hex(16)
      const { transferId, repeated } = await credit(context, {
        ...{ account, amountNano, currency, note: text, idempotencyKey },
      })
      const creditedUsd = formatUsd(amountNano)
      const balanceUsd = formatUsd(balanceIn(currency, await context.storage.ledger.balance(account.id)))
      const unit = currency === 'usd' ? 'USD' : `USD of ${currency} credit`
      if (repeated) note(`This was credited before with the key ${key}; nothing was credited now.`)
      if (args.json === true)
        printJson({
          ...{ account: account.name, creditedUsd, balanceUsd, transferId },
          ...(currency === 'usd' ? {} : { currency }),
        })
      else if (repeated) print(`${account.name} has ${balanceUsd} ${unit} (${transferId})`)
      else print(`${account.name} was credited ${creditedUsd} ${unit} and has ${balanceUsd} (${transferId})`)
    })
  },
})

function balanceIn(currency: CreditCurrency, { balanceNano, funds }: Balance): Amount {
  return currency === 'usd' ? balanceNano : funds[`${currency}Nano`]
}

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
      `The key ${order.idempotencyKey} stands for another credit: another account, amount, currency or note. Nothing was credited.`,
    )
  }
}
