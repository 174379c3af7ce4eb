import { z } from 'zod'
import { httpUrl, limit, line, list, whole } from './fields.ts'
import { usd } from './usd.ts'
import { whenValid } from './when-valid.ts'

const evmAddress = /^0x[0-9a-fA-F]{40}$/
const mustBeAddress = 'must be 0x and 40 hexadecimal digits'

const networkSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9-]{3,8}:[A-Za-z0-9_-]{1,64}$/, 'must be a CAIP-2 id such as eip155:8453')
    .describe('The network.'),
  rpcUrl: httpUrl().describe('Where it is asked.'),
  asset: z.string().regex(evmAddress, mustBeAddress).describe("The stablecoin's contract."),
  assetName: line(100).default('USD Coin').describe('Its name, as it is signed.'),
  assetVersion: line(20).default('2').describe('Its version, as it is signed.'),
  decimals: whole(0, 18).default(6).describe('Its decimals.'),
})

const facilitatorSchema = z
  .strictObject({
    mode: z.enum(['local', 'remote']).default('local').describe('local: settled here. remote: settled by urls.'),
    walletKeyFile: line(2_000)
      .min(1, 'must not be empty')
      .default('data/wallet.key')
      .describe('The key of the wallet that pays for gas and holds nothing else.'),
    urls: list(httpUrl(), 10).default([]).describe('Remote facilitators, in order.'),
    confirmations: whole(0, 1_000).default(1).describe('Blocks to wait for.'),
    maxGasGwei: z
      .number('must be a number')
      .min(0, 'must not be negative')
      .default(5)
      .describe('Dearest gas that is paid.'),
  })
  .prefault({})
  .describe('Who brings a payment to the chain.')

const topUpSchema = z
  .strictObject({
    minUsd: usd().prefault(5).describe('Smallest top-up.'),
    maxUsd: usd().prefault(10_000).describe('Largest top-up.'),
    suggestedUsd: usd().prefault(10).describe('The top-up that is offered.'),
  })
  .refine(topUp => topUp.minUsd <= topUp.suggestedUsd && topUp.suggestedUsd <= topUp.maxUsd, {
    path: ['suggestedUsd'],
    error: 'must lie between minUsd and maxUsd',
    when: whenValid('minUsd', 'maxUsd', 'suggestedUsd'),
  })
  .prefault({})
  .describe('Top-ups of a wallet.')

const x402Schema = z
  .strictObject({
    enabled: z.boolean().default(false).describe('true: wallets may pay.'),
    payTo: z
      .union([z.literal(''), z.string().regex(evmAddress)], mustBeAddress)
      .default('')
      .describe('Your own address, to which everything is paid. Its key is never here.'),
    networks: list(networkSchema, 20).default([]).describe('Networks and coins that are taken.'),
    facilitator: facilitatorSchema,
    payPerCall: z.boolean().default(true).describe('true: a single request may be paid on its own.'),
    topUp: topUpSchema,
    walletFloorUsd: usd().prefault(0.1).describe('A wallet needs this much for a request.'),
    walletConcurrency: limit().default(5).describe('Requests of one wallet at a time.'),
  })
  .refine(x402 => !x402.enabled || x402.payTo !== '', {
    path: ['payTo'],
    error: 'is missing, and enabled needs it',
    when: whenValid('enabled', 'payTo'),
  })
  .refine(x402 => !x402.enabled || x402.networks.length > 0, {
    path: ['networks'],
    error: 'must name at least one network when enabled',
    when: whenValid('enabled', 'networks'),
  })
  .prefault({})
  .describe('Payments in stablecoins.')

export const paymentsSchema = z
  .strictObject({ x402: x402Schema })
  .prefault({})
  .describe('Payments. This version takes none: with enabled it does not start.')
