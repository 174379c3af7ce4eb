import type { Random } from '../../core/random.ts'
import { equalsConstantTime } from '../../lib/constant-time.ts'
import { hashSecretText, newSecretText } from './api-key.ts'
import { readBearer } from './bearer.ts'

/** Tells an operator's token from an API key at a glance, and scanners of leaked secrets can look for it. */
const operatorPrefix = 'rialto-operator-'

/** Shown once at the first start (operator.md §1); stored is its keyed hash. */
export function newOperatorToken(random: Random): string {
  return newSecretText(operatorPrefix, random)
}

/** Whether the header carries the operator's token. Without a stored hash nobody is the operator. */
export function isOperator(
  authorization: string | undefined,
  installation: { readonly tokenHash: Buffer | null; readonly secret: Buffer },
): boolean {
  const text = readBearer(authorization)
  if (text === null || installation.tokenHash === null) return false
  return equalsConstantTime(hashSecretText(text, installation.secret), installation.tokenHash)
}
