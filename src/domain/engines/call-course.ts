import type { Clock } from '../../core/clock.ts'
import { GatewayError, toGatewayError } from '../../core/gateway-error.ts'
import type { Logger } from '../../core/logger.ts'
import type { Timers } from '../../core/timers.ts'
import type { Attempt } from '../usage/types.ts'
import { type Candidate, takeNode } from './choose-node.ts'
import { createFault } from './create-fault.ts'
import { readRejection } from './engine-rejection.ts'
import { type EngineRequest, type EngineRun, EnginesFailure } from './engine-run.ts'
import type { NodeFailure } from './failure-error.ts'
import { isNeverSent, isUnreachable, judgeStatus, type Verdict } from './judge-answer.ts'
import type { EngineNode } from './node.ts'
import type { Slots } from './node-slots.ts'
import { openFresh } from './open-fresh.ts'
import { readBody } from './read-body.ts'
import { EngineFault, type EngineReply } from './types.ts'

/** Nodes that one call may ask (reliability.md §6.6). */
const attemptsMax = 3

/** What is read of an engine's explanation, and for how long. */
const rejectionBytesMax = 65_536
const rejectionWaitMs = 5_000

/** The rest of a failed answer is read for so long, so that its connection can be used again. */
const discardWaitMs = 1_000

type BytesReply = Extract<EngineReply, { kind: 'bytes' }>

export interface CallContext {
  readonly clock: Clock
  readonly logger: Logger
  readonly timers: Timers
  readonly findNode: (engineId: string) => EngineNode | undefined
  readonly retries: Slots
  readonly chance: () => number
  /** The answer of a node has ended and its place is free. */
  readonly onDone: (node: EngineNode) => void
}

/** One call on its way from node to node. */
export class CallCourse<Value> {
  readonly failures: NodeFailure[] = []
  private readonly context: CallContext
  private readonly request: EngineRequest<Value>
  private readonly attempts: Attempt[] = []
  private readonly asked = new Set<Candidate['served']>()
  private worked = false
  private holdsRetry = false

  constructor(context: CallContext, request: EngineRequest<Value>) {
    this.context = context
    this.request = request
  }

  /** The next node, with a place taken on it; null when there is none, or no more may be asked. */
  async next(): Promise<Candidate | null> {
    if (this.candidates().length === 0 || this.attempts.length === attemptsMax || !(await this.mayRetry())) return null
    const candidate = await this.take()
    if (candidate !== null) this.asked.add(candidate.served)
    return candidate
  }

  /** A place on one of the nodes that are in service when it is given: one that is drained sends those who wait away. */
  private async take(): Promise<Candidate | null> {
    const { context, request } = this
    for (;;) {
      const candidates = this.candidates()
      if (candidates.length === 0) return null
      const nowMs = context.clock.monotonic()
      const choice = { candidates, nowMs, chance: context.chance, affinity: request.affinity }
      const candidate = await takeNode(choice, request.signal)
      if (candidate !== null || candidates.every(({ node }) => !node.draining)) return candidate
    }
  }

  /** The accepted answer, or null when the node failed and another one may be asked. */
  async attempt(candidate: Candidate): Promise<EngineRun<Value> | null> {
    const { node, served } = candidate
    const startedAtMs = this.context.clock.monotonic()
    let reply: EngineReply | null = null
    let run: EngineRun<Value> | null = null
    try {
      node.began()
      this.request.onSent(node.engine)
      reply = await openFresh(node.engine, this.request.callFor(served), this.request.signal)
      run = await this.judge(reply, candidate, startedAtMs)
    } catch (error) {
      if (reply?.kind === 'bytes') reply.body.cancel()
      this.noteThrown(node, error, startedAtMs)
    } finally {
      if (run === null) this.giveBack(node)
    }
    return run
  }

  /** Whether the operator took every node of the model out of service. */
  isDrained(): boolean {
    const { request, context } = this
    const nodes = request.served.flatMap(({ engineId }) => context.findNode(engineId) ?? [])
    return nodes.length > 0 && nodes.every(node => node.draining)
  }

  failure(error: GatewayError): EnginesFailure {
    return new EnginesFailure(error, this.attempts, this.worked)
  }

  asFailure(error: unknown): EnginesFailure {
    if (error instanceof EnginesFailure) return error
    if (!(error instanceof EngineFault)) return this.failure(toGatewayError(error))
    return this.failure(
      new GatewayError('upstream_error', 'The request was given up before an engine answered.', { cause: error }),
    )
  }

  close(): void {
    if (this.holdsRetry) this.context.retries.give()
  }

  private candidates(): Candidate[] {
    const candidates: Candidate[] = []
    for (const served of this.request.served) {
      const node = this.context.findNode(served.engineId)
      if (node === undefined || node.draining || node.engine.maxConcurrency === 0 || this.asked.has(served)) continue
      candidates.push({ node, served })
    }
    return candidates
  }

  /**
   * A further node needs a share of the retry budget, unless the one before could not be reached: a node that went away
   * gives its load to the others, whatever we do, and its callers must not pay for it (venym.md §6).
   */
  private async mayRetry(): Promise<boolean> {
    const last = this.failures.at(-1)
    if (last === undefined || this.holdsRetry) return true
    if (last.kind === 'fault' && isUnreachable(last.fault)) return true
    try {
      await this.context.retries.take(this.request.signal)
    } catch (error) {
      if (error instanceof EngineFault && error.kind !== 'aborted') return false
      throw error
    }
    this.holdsRetry = true
    return true
  }

  private async judge(reply: EngineReply, candidate: Candidate, startedAtMs: number): Promise<EngineRun<Value> | null> {
    const { node } = candidate
    if (reply.kind === 'bytes') {
      const verdict = judgeStatus(reply.status)
      if (verdict === 'rejected') throw await this.reject(reply, candidate, startedAtMs)
      if (verdict !== 'answer') return this.noteStatus(reply, verdict, { node, startedAtMs })
    }
    const value = await this.request.accept(reply)
    node.answered()
    this.note(node, 200, startedAtMs)
    return { value, node: node.engine, attempts: this.attempts, done: this.createDone(node) }
  }

  private async reject(reply: BytesReply, { node, served }: Candidate, startedAtMs: number): Promise<EnginesFailure> {
    const { timers } = this.context
    node.answered()
    const body = await readBody(reply.body, { bytesMax: rejectionBytesMax, waitMs: rejectionWaitMs, timers })
    this.note(node, reply.status, startedAtMs)
    const { publicModel, privateTexts } = this.request
    const { engineModel } = served
    const rejection = readRejection({ status: reply.status, body, engineModel, publicModel, privateTexts })
    return this.failure(
      new GatewayError('engine_rejected', rejection.message, { param: rejection.param, engine: rejection }),
    )
  }

  private noteStatus(
    reply: BytesReply,
    verdict: Verdict,
    { node, startedAtMs }: { node: EngineNode; startedAtMs: number },
  ): null {
    const { status, retryAfterMs } = reply
    // Nobody waits for it, and it cannot reject.
    void readBody(reply.body, { bytesMax: rejectionBytesMax, waitMs: discardWaitMs, timers: this.context.timers })
    if (verdict === 'overloaded') node.overloaded(retryAfterMs)
    else if (verdict === 'misconfigured') node.misconfigured(status)
    else {
      this.worked = true
      node.failedWith(status)
    }
    this.noteFailure(node, { kind: 'status', status, retryAfterMs }, startedAtMs)
    return null
  }

  /** Keeps a node's fault for the next round; everything else ends the call. */
  private noteThrown(node: EngineNode, error: unknown, startedAtMs: number): void {
    if (!(error instanceof EngineFault)) {
      node.abandoned()
      throw error
    }
    if (error.kind === 'policy') {
      node.answered()
      this.note(node, error.kind, startedAtMs)
      throw this.failure(policyRefusal(error))
    }
    node.failed(error)
    this.worked ||= !isNeverSent(error)
    if (error.kind !== 'aborted') {
      this.noteFailure(node, { kind: 'fault', fault: error }, startedAtMs)
      return
    }
    this.note(node, error.kind, startedAtMs)
    throw error
  }

  private noteFailure(node: EngineNode, failure: NodeFailure, startedAtMs: number): void {
    this.failures.push(failure)
    const attempt = this.note(node, failure.kind === 'status' ? failure.status : failure.fault.kind, startedAtMs)
    this.context.logger.warn('engine.attempt_failed', { ...attempt })
  }

  private note(node: EngineNode, status: Attempt['status'], startedAtMs: number): Attempt {
    const ms = Math.round(this.context.clock.monotonic() - startedAtMs)
    const attempt: Attempt = { node: node.engine.id, status, ms }
    this.attempts.push(attempt)
    return attempt
  }

  private giveBack(node: EngineNode): void {
    node.slots.give()
    this.context.onDone(node)
  }

  private createDone(node: EngineNode): EngineRun<Value>['done'] {
    let ended = false
    return (outcome, { completionTokens, ms }) => {
      if (ended) return
      ended = true
      if (outcome === 'answered') node.finished()
      else node.failed(createFault('bad_answer', { message: 'the node broke off its answer' }))
      if (outcome === 'answered') node.rate.add((completionTokens * 1_000) / ms)
      this.giveBack(node)
    }
  }
}

/** The engine took the request, looked at its content and said no before it said anything else. */
function policyRefusal({ message }: EngineFault): GatewayError {
  const engine = { status: 400, code: 'content_filter', param: null, kind: 'policy', problems: [] } as const
  return new GatewayError('engine_rejected', `The engine refused the request: ${message}.`, { engine })
}
