import { hash } from 'node:crypto'

/** Everything a transfer says, in the form its hash covers. */
export interface HashedTransfer {
  readonly seq: number
  readonly id: string | null
  readonly code: string
  readonly debit: string
  readonly credit: string
  readonly asset: string
  readonly amountNano: bigint
  readonly holdSeq: number | null
  readonly line: string | null
  readonly note: string
  readonly idempotencyKey: string | null
  readonly createdAtMs: number
}

type FreeText = Pick<HashedTransfer, 'id' | 'line' | 'note' | 'idempotencyKey' | 'code'>

/**
 * Chains a transfer to the one before it: SHA-256 over the previous hash and the row's content, so that a row that was
 * changed, removed or put in later shows at its place (reliability.md S5). The first one follows the empty string.
 */
export function hashTransfer(previousHash: string, transfer: HashedTransfer): string {
  const { seq, code, debit, credit, asset, amountNano, holdSeq, createdAtMs } = transfer
  const content = `${previousHash}\n${seq}\n${code}\n${debit}\n${credit}\n${asset}\n${amountNano}\n${holdSeq}\n${createdAtMs}`
  return hash('sha256', content + freeText(transfer), 'base64')
}

/** The end of what is hashed: what callers word themselves, quoted so that it cannot pass for other fields. Settlements have none. */
export function freeText({ id, line, note, idempotencyKey, code }: FreeText): string {
  const isPlain = id === null && idempotencyKey === null && note === '' && line === code
  return isPlain ? '' : `\n${JSON.stringify([id, line, note, idempotencyKey])}`
}

const hexDigits = 24

/** The id of a transfer that a settlement made: its place in the chain. Others bring their own. */
export function transferIdOf(transfer: { readonly seq: number; readonly id: string | null }): string {
  return transfer.id ?? `xfer_${transfer.seq.toString(16).padStart(hexDigits, '0')}`
}
