import { admissionParts } from './admission-parts.ts'
import { admit } from './admit.ts'
import { appendTransfers } from './append-transfers.ts'
import { bookCharge } from './book-charge.ts'
import { currencies } from './currencies.ts'
import { decideAdmission } from './decide-admission.ts'
import { decideCharge } from './decide-charge.ts'
import { decideMoney } from './decide-money.ts'
import { lower } from './lower.ts'
import { periodStart } from './period-start.ts'
import { post } from './post.ts'
import { probe } from './probe.ts'
import { rateBuckets } from './rate-buckets.ts'
import { settle } from './settle.ts'
import { settleLate } from './settle-late.ts'
import { settlementParts } from './settlement-parts.ts'
import { storedSums } from './stored-sums.ts'
import { tokenBucket } from './token-bucket.ts'
import { types } from './types.ts'

/** What moves money, as statements in the order in which they are to be run on an empty schema. */
export const moneyFunctions: readonly string[] = [
  types,
  currencies,
  tokenBucket,
  periodStart,
  decideMoney,
  decideAdmission,
  decideCharge,
  rateBuckets,
  storedSums,
  bookCharge,
  appendTransfers,
  admissionParts,
  admit,
  settlementParts,
  settle,
  settleLate,
  lower,
  post,
  probe,
]
