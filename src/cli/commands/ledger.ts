import { defineCommand } from 'citty'
import type { CreditCurrency } from '../../core/currency.ts'
import type { VerifyReport } from '../../domain/ledger/types.ts'
import { UsageError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { countOf } from '../count-of.ts'
import { note, print, printJson } from '../output.ts'
import { parseCount, parseEnd, parseMoment } from '../parse-values.ts'
import { encodeStatement, renderStatement } from '../render-statement.ts'
import { accountNamed, withStore } from '../with-store.ts'

const currencies: CreditCurrency[] = ['usd', 'bundled', 'earned']
const linesDefault = 1_000
const linesMax = 100_000

const verify = defineCommand({
  meta: { description: 'Re-adds every entry, hold and usage record; succeeds only when all agree.' },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withStore(args, async ({ storage }) => {
      const { undelivered, ...report } = await storage.ledger.verify()
      if (args.json === true) {
        const { ok, accounts, transfers, holdsOpen, usageRecords, problems } = report
        printJson({ ok, accounts, transfers, holdsOpen, usageRecords, problems })
        for (const debit of undelivered) note(`undelivered: ${debit}`)
      } else print(renderReport({ ...report, undelivered }))
      return report.ok ? 0 : 1
    }),
})

function renderReport(report: VerifyReport): string {
  const { ok, accounts, transfers, holdsOpen, usageRecords, problems, undelivered } = report
  const counts = [
    countOf(accounts, 'account'),
    countOf(transfers, 'transfer'),
    countOf(holdsOpen, 'open hold'),
    countOf(usageRecords, 'usage record'),
  ].join(', ')
  return [
    ok ? `The books agree: ${counts}.` : `The books do not agree: ${counts}.`,
    ...problems.map(problem => `  problem: ${problem}`),
    ...undelivered.map(debit => `  charged, but the cost was never delivered: ${debit}`),
  ].join('\n')
}

const statement = defineCommand({
  meta: { description: 'Prints an account’s transfers in one currency between its opening and its closing balance.' },
  args: {
    name: { type: 'positional', required: true, description: 'the account’s name or id' },
    from: { type: 'string', valueHint: 'DATE', description: 'a date or an ISO time; default: the beginning' },
    to: {
      type: 'string',
      valueHint: 'DATE',
      description: 'a date (to the end of that UTC day) or an ISO time; default: now',
    },
    currency: { type: 'enum', options: currencies, description: 'default: usd' },
    limit: { type: 'string', valueHint: 'N', description: `at most so many transfers; default: ${linesDefault}` },
    ...configArgument,
    ...jsonArgument,
  },
  async run({ args }) {
    const fromMs = args.from === undefined ? 0 : parseMoment('--from', args.from)
    const toMs = args.to === undefined ? Number.MAX_SAFE_INTEGER : parseEnd('--to', args.to)
    const limit = args.limit === undefined ? linesDefault : parseCount('--limit', args.limit, { min: 1, max: linesMax })
    const currency = args.currency ?? 'usd'
    if (toMs <= fromMs) throw new UsageError('--to must be after --from.')
    await withStore(args, async context => {
      const account = await accountNamed(context, args.name)
      const found = await context.storage.ledger.statement(account.id, { fromMs, toMs, limit, currency })
      if (args.json === true) printJson(encodeStatement(account, found, currency))
      else print(renderStatement(account, found, currency))
      if (found.lines.length === limit)
        note(`Only the first ${limit} transfers are shown: give --limit, or --from and --to.`)
    })
  },
})

export const ledgerCommand = defineCommand({
  meta: { description: 'Checks the books and prints statements.' },
  subCommands: { verify, statement },
})
