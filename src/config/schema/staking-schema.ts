import { z } from 'zod'
import { httpUrl } from './fields.ts'

/** What 32 bytes can hold has at most 78 digits. */
const unitsPattern = /^[1-9][0-9]{0,77}$/

export const stakingSchema = z
  .strictObject({
    rpcUrl: httpUrl().describe('The JSON-RPC address of a node of the chain on which wallets stake.'),
    contract: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')
      .describe('The contract that keeps the stakes and answers balanceOf(address).'),
    minimumUnits: z
      .string()
      .regex(unitsPattern, 'must be a whole number above 0, in quotes')
      .describe('The least stake, in the smallest units of the token, in quotes.'),
  })
  .nullable()
  .default(null)
  .describe('A stake that a wallet must have before it gets a key. null: none.')
