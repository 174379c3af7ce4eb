import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../core/gateway-error.ts'
import { StoreConflict } from '../../core/store-error.ts'
import { decodeWalletKey, type WalletKeyOrder } from '../../dialects/venice/decode/decode-wallet-key.ts'
import { encodeNewKey, encodeWalletToken } from '../../dialects/venice/encode/encode-keys.ts'
import {
  createWalletToken,
  judgeWalletToken,
  type TokenGround,
  walletKeyId,
} from '../../dialects/venice/wallet-token.ts'
import { type Stakes, StakesUnknown } from '../../domain/identity/stakes.ts'
import { issueKeyWithin } from '../../pipeline/issue-key.ts'
import { createWalletAccounts } from '../../pipeline/wallet-accounts.ts'
import { createAddressLimit } from '../address-limit.ts'
import type { ServerDependencies } from '../server-dependencies.ts'

export const walletKeysAddress = '/api/v1/api_keys/generate_web3_key'
/** Of one address: enough for as many accounts as are made in a minute, with a token for each key. */
const requestsPerMinute = 120
const nonceBytes = 16
const stakeRetrySeconds = 60
const walletAddress = /^0x[0-9a-fA-F]{40}$/

/**
 * `/api/v1/api_keys/generate_web3_key`: a wallet signs a token of ours and gets a key for its account (venice.md §6.4).
 * Asks for no key, and works only where the operator lets accounts be made like this.
 */
export function registerWalletKeys(scope: FastifyInstance, dependencies: ServerDependencies): void {
  const { identityStore: identity, stakes, ledger, clock, random, secret, publicUrl, settings, callers } = dependencies
  const accounts = createWalletAccounts({ identity, ledger, clock, random })
  const ground = (): TokenGround => ({ secret, publicUrl, nowMs: clock.now() })
  const limit = createAddressLimit(requestsPerMinute, clock)
  const onRequest = async (request: FastifyRequest) => {
    if (!settings().selfService) throw closed()
    limit.take(callers.addressOf(request.raw))
  }

  scope.get(walletKeysAddress, { onRequest }, (_, reply) =>
    send(reply, encodeWalletToken(createWalletToken(ground(), random.hex(nonceBytes)))),
  )

  scope.post(walletKeysAddress, { onRequest }, async (request, reply) => {
    const order = decodeWalletKey(request.body, clock.now())
    await checkWallet(order, ground())
    await checkStake(stakes, order.address)
    const { id: accountId } = await accounts.of(order.address)
    const desk = { identity, clock, random, secret, prefix: settings().keyPrefix }
    const id = walletKeyId(order.token, order.address)
    const { key, text } = await issueKeyWithin(desk, { accountId, id, ...order.wanted }).catch(explainUsed)
    return send(reply, encodeNewKey(key, text))
  })
}

/** @throws GatewayError bad_request in the words that clients know */
async function checkWallet({ address, signature, token }: WalletKeyOrder, ground: TokenGround): Promise<void> {
  if (!walletAddress.test(address)) throw refused('Invalid wallet address')
  const problem = judgeWalletToken(token, ground)
  if (problem !== null) throw refused(problem)
  const { recoverSigner } = await import('../../lib/wallet-signature.ts')
  const signer = recoverSigner(token, signature)
  if (signer === null) throw refused('Could not verify wallet signature')
  if (signer !== address.toLowerCase()) throw refused('Wallet signature does not match')
}

/** @throws GatewayError bad_request, or service_unavailable when the chain cannot be asked */
async function checkStake(stakes: Stakes, address: string): Promise<void> {
  const areEnough = await stakes.areEnough(address).catch((error: unknown) => {
    if (!(error instanceof StakesUnknown)) throw error
    throw stakeUnknown(error)
  })
  if (!areEnough) throw refused('Wallet has no staked VVV on Base')
}

function refused(message: string): GatewayError {
  return new GatewayError('bad_request', message)
}

function explainUsed(error: unknown): never {
  if (!(error instanceof StoreConflict)) throw error
  throw refused('JWT was used already. Get a new token and sign that: each makes one key.')
}

function stakeUnknown(cause: StakesUnknown): GatewayError {
  const message = 'What this wallet has staked could not be looked up, so no key was made. Try again in a minute.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: stakeRetrySeconds, cause })
}

function closed(): GatewayError {
  const message =
    'This gateway makes no accounts for wallets: ask its operator for a key (`accounts.selfService` is off).'
  return new GatewayError('self_service_disabled', message)
}

function send(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-store').send(text)
}
