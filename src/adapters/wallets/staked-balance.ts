import { type Dispatcher, request } from 'undici'
import { z } from 'zod'
import { type Stakes, StakesUnknown } from '../../domain/identity/stakes.ts'
import { parseJsonBytes } from '../../lib/json.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'

/** A word of 32 bytes in its JSON is some hundred; the rest is room for errors, which are not read. */
const answerBytesMax = 16_384
const answerMs = 5_000
/** Keys are made seldom. More questions than these at a time are somebody's attack on the node. */
const questionsMax = 16
/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOfSelector = '0x70a08231'

export interface StakingContract {
  /** The JSON-RPC address of a node of the chain. */
  readonly rpcUrl: string
  /** What keeps the stakes: a contract that answers `balanceOf(address)`. */
  readonly contract: string
  /** In the smallest units of the token. */
  readonly minimumUnits: bigint
}

const answerShape = z.object({ result: z.string().regex(/^0x[0-9a-fA-F]{64}$/) })

/** Asks the contract for each key; null asks for no stake. The node is the operator's, its answer untrusted. */
export function createStakes(staking: () => StakingContract | null): Stakes {
  let questions = 0
  return {
    async areEnough(address) {
      const contract = staking()
      if (contract === null) return true
      if (questions >= questionsMax) throw new StakesUnknown('too many questions at a time')
      questions += 1
      try {
        return (await stakedUnits(contract, address)) >= contract.minimumUnits
      } catch (cause) {
        throw new StakesUnknown('the chain gave no answer', { cause })
      } finally {
        questions -= 1
      }
    },
  }
}

async function stakedUnits({ rpcUrl, contract }: StakingContract, address: string): Promise<bigint> {
  const data = balanceOfSelector + address.slice(2).toLowerCase().padStart(64, '0')
  const params = [{ to: contract, data }, 'latest']
  const { statusCode, body } = await request(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'rialto' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
    signal: lastingTimeout(answerMs),
  })
  const bytes = await readBody(body)
  if (statusCode !== 200) throw new TypeError(`the node answered with status ${statusCode}`)
  return BigInt(answerShape.parse(parseJsonBytes(bytes)).result)
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    // Leaving the loop destroys the body and with it the connection.
    if (length > answerBytesMax) throw new RangeError('the answer is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
