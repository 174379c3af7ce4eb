import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { ArmedFailpoint } from '../../src/lib/failpoint.ts'
import { nowMs } from './builders.ts'
import type { Acknowledged } from './crash-child.ts'

const day = 86_400_000

/** A moment that no code names, counted from the first thing that the child was told. */
export interface RandomMoment {
  readonly afterMs: number
}

/** Runs the child until it is killed, and returns what it had been told by then. */
export async function runUntilKilled(location: string, at: ArmedFailpoint | RandomMoment): Promise<Acknowledged[]> {
  const script = join(import.meta.dirname, 'crash-child.ts')
  const place = 'name' in at ? [at.name, String(at.nth)] : []
  const child = spawn(process.execPath, ['--import', 'tsx', script, location, ...place], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '' && 'afterMs' in at) setTimeout(() => child.kill('SIGKILL'), at.afterMs)
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve => {
    child.on('close', (...ending) => resolve(ending))
  })
  expect({ code, signal, errors }).toEqual({ code: null, signal: 'SIGKILL', errors: '' })
  const lines = output.split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line) as Acknowledged)
}

/** The books agree, nothing stays open, and whatever was acknowledged is there. */
export async function checkAfterRestart(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<void> {
  await storage.ledger.recover('proc_after', nowMs)
  await storage.idempotency.recover('proc_after', nowMs + day)
  expect(await storage.ledger.verify()).toMatchObject({ problems: [], ok: true, holdsOpen: 0 })
  for (const line of acknowledged) await checkLine(storage, line)
  const grants = acknowledged.filter(({ kind }) => kind === 'grant').length
  for (const line of acknowledged) {
    if (line.kind !== 'account') continue
    const { lines } = await storage.ledger.statement(line.accountId, { fromMs: 0, toMs: nowMs * 2, limit: 10_000 })
    expect(lines.filter(({ code }) => code === 'grant').length).toBeGreaterThanOrEqual(grants + 1)
  }
}

async function checkLine(storage: Storage, line: Acknowledged): Promise<void> {
  switch (line.kind) {
    case 'account':
    case 'grant':
      return
    case 'settled':
      expect(await recordOf(storage, line.generationId)).toMatchObject({ costNano: 9n, outcome: 'done' })
      return
    case 'marked': {
      const record = await recordOf(storage, line.generationId)
      expect(record?.costNano).toBe(record?.outcome === 'done' ? 9n : 5n)
      return
    }
    case 'admitted':
      expect(await recordOf(storage, line.generationId)).not.toBeNull()
      return
    case 'claimed':
    case 'completed':
      await checkClaim(storage, line)
  }
}

/** A request that was charged is never run again under its key; one that was not may be. */
async function checkClaim(storage: Storage, { kind, claim }: Extract<Acknowledged, { readonly claim: unknown }>) {
  const fingerprint = createHash('sha256').update(claim.requestId).digest()
  const scope = { accountId: claim.accountId, route: '/v1/chat/completions', key: claim.key, holdId: 'hold_again' }
  const again = { ...scope, fingerprint, requestId: 'req_again', processId: 'proc_after' }
  const state = await storage.idempotency.claim({ ...again, nowMs, keysMax: 100_000 })
  const facts = await storage.ledger.holdFacts(claim.holdId)
  const wasCharged = (facts?.settledNano ?? 0n) > 0n
  if (kind === 'completed') {
    const answer = { status: 200, contentType: 'text/plain', body: Buffer.from(claim.requestId) }
    expect(state).toEqual({ state: 'done', requestId: claim.requestId, answer })
  } else expect(state.state === 'done').toBe(wasCharged)
  if (state.state === 'new') await storage.idempotency.free(scope)
}

function recordOf(storage: Storage, generationId: string) {
  return storage.usage.findByGeneration(generationId, null)
}
