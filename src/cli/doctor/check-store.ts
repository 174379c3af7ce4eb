import { countOf } from '../count-of.ts'
import type { Storage } from '../with-store.ts'
import { type Check, failed, messageOf, passed } from './check.ts'

const problemsShown = 3

/** Whether a write can be committed now, and whether the books agree. */
export async function checkStore(storage: Storage): Promise<readonly Check[]> {
  try {
    await storage.health()
  } catch (error) {
    return [failed('store', messageOf(error), 'look at the free space and the permissions of the data folder')]
  }
  return [passed('store', 'can be read and written'), await checkLedger(storage)]
}

async function checkLedger({ ledger }: Storage): Promise<Check> {
  const name = 'ledger'
  try {
    const { ok, accounts, transfers, usageRecords, problems } = await ledger.verify()
    const counts = [countOf(accounts, 'account'), countOf(transfers, 'transfer'), countOf(usageRecords, 'usage record')]
    if (ok) return passed(name, `agrees: ${counts.join(', ')}`)
    const mend = 'keep a copy of the data folder before anything else; rialto ledger verify names every difference'
    return failed(name, `${countOf(problems.length, 'problem')}: ${problems.slice(0, problemsShown).join('; ')}`, mend)
  } catch (error) {
    return failed(name, messageOf(error), 'run rialto ledger verify while the gateway is stopped')
  }
}
