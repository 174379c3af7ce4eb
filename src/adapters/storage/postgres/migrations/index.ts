import { initial } from '../../sql/migrations/0001-initial.ts'
import { sharedDocuments } from '../../sql/migrations/0002-shared-documents.ts'
import { usageDays } from '../../sql/migrations/0003-usage-days.ts'
import { rateRefusals } from '../../sql/migrations/0004-rate-refusals.ts'
import { failureCounts } from '../../sql/migrations/0005-failure-counts.ts'
import { currencies } from '../../sql/migrations/0006-currencies.ts'
import { pagePrices } from '../../sql/migrations/0007-page-prices.ts'
import { dailyRates } from '../../sql/migrations/0008-daily-rates.ts'
import { keyDays } from '../../sql/migrations/0009-key-days.ts'
import { chargeOrder } from '../../sql/migrations/0010-charge-order.ts'
import { usageLines } from '../../sql/migrations/0011-usage-lines.ts'
import { markFees } from '../../sql/migrations/0012-mark-fees.ts'
import type { Migration } from '../../sql/migrations/migration.ts'
import { compareBytes } from './compare-bytes.ts'
import { countLines } from './count-lines.ts'
import { countUsage } from './count-usage.ts'
import { currencyFunctions } from './currency-functions.ts'
import { dailyFunctions } from './daily-functions.ts'
import { errorBudgets } from './error-budgets.ts'
import { findRecords } from './find-records.ts'
import { gatewayLeases } from './gateway-leases.ts'
import { keyDayFunctions } from './key-day-functions.ts'
import { loweredHolds } from './lowered-holds.ts'
import { manyWriters } from './many-writers.ts'
import { markFunctions } from './mark-functions.ts'
import { installMoneyFunctions } from './money-functions.ts'
import { notifyDocuments } from './notify-documents.ts'

/** In order; append only. The schema that every engine shares comes first, then what this one does differently. */
export const postgresMigrations: readonly Migration[] = [
  initial,
  manyWriters,
  sharedDocuments,
  notifyDocuments,
  usageDays,
  countUsage,
  findRecords,
  installMoneyFunctions,
  gatewayLeases,
  rateRefusals,
  compareBytes,
  failureCounts,
  errorBudgets,
  currencies,
  currencyFunctions,
  pagePrices,
  dailyRates,
  dailyFunctions,
  loweredHolds,
  keyDays,
  keyDayFunctions,
  chargeOrder,
  usageLines,
  countLines,
  markFees,
  markFunctions,
].map((migration, index) => ({
  ...migration,
  number: index + 1,
}))
