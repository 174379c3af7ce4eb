import { z } from 'zod'
import { checkFields } from './check-fields.ts'
import { keySchema, type WantedKey, wantedKey } from './decode-key.ts'
import { description } from './key-fields.ts'

const usualDescription = 'Web3 API Key'

export const walletKeySchema = z.strictObject({
  ...keySchema.shape,
  description: description.nullish(),
  address: z.string(),
  signature: z.string(),
  token: z.string(),
})

/** A key that is wanted, and what a wallet says for it. */
export interface WalletKeyOrder {
  readonly wanted: WantedKey
  /** As they were sent. */
  readonly address: string
  readonly signature: string
  readonly token: string
}

/** Body of `POST /api_keys/generate_web3_key` (venice.md §6.4). @throws GatewayError invalid_parameters */
export function decodeWalletKey(body: unknown, nowMs: number): WalletKeyOrder {
  const { address, signature, token, ...fields } = checkFields(walletKeySchema, body)
  const wanted = wantedKey({ ...fields, description: fields.description ?? usualDescription }, nowMs)
  return { wanted, address, signature, token }
}
