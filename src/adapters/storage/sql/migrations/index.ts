import { initial } from './0001-initial.ts'
import { sharedDocuments } from './0002-shared-documents.ts'
import { usageDays } from './0003-usage-days.ts'
import { rateRefusals } from './0004-rate-refusals.ts'
import { failureCounts } from './0005-failure-counts.ts'
import { currencies } from './0006-currencies.ts'
import { pagePrices } from './0007-page-prices.ts'
import { dailyRates } from './0008-daily-rates.ts'
import { keyDays } from './0009-key-days.ts'
import { chargeOrder } from './0010-charge-order.ts'
import { usageLines } from './0011-usage-lines.ts'
import { markFees } from './0012-mark-fees.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps; append only. */
export const migrations: readonly Migration[] = [
  initial,
  sharedDocuments,
  usageDays,
  rateRefusals,
  failureCounts,
  currencies,
  pagePrices,
  dailyRates,
  keyDays,
  chargeOrder,
  usageLines,
  markFees,
]
