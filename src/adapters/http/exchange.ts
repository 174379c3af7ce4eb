import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { createFault } from '../../domain/engines/create-fault.ts'
import type { ByteSink, ByteStream, EngineFault } from '../../domain/engines/types.ts'
import { type AnswerHead, type ReceivedHead, readAnswerHead } from './answer-head.ts'
import type { NodeConnection, NodeConnections } from './node-connections.ts'
import { toEngineFault } from './to-engine-fault.ts'

/** What may come before somebody reads; then the node is paused. A small answer is whole before that. */
const earlyBytesMax = 65_536

/** Interim (1xx) answers before the real one: a few are legal, a flood would hold the request up for ever. */
const interimMax = 8

/** A socket that the node had closed before it saw the request says so within a round trip, not after seconds of work. */
const staleWithinMs = 1_000

/** An answer whose head has come. */
export interface Answer extends AnswerHead {
  readonly body: ByteStream
}

export interface ExchangeOptions {
  readonly connection: NodeConnection
  /** Where the connection comes from and, after a complete answer, goes back to. */
  readonly connections: NodeConnections
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onHead: (answer: Answer) => void
  /** Called instead of `onHead`; faults after the head go to the sink. */
  readonly onFault: (fault: EngineFault) => void
}

/**
 * One request and its answer on a connection of the pool. What undici calls and what the gateway reads are the same
 * object, so that a chunk costs two calls and allocates nothing.
 *
 * `waiting` for the head → `open` → `ended`, when the body is complete, or `over`, after a fault or a cancel.
 */
export class Exchange implements Dispatcher.DispatchHandler, ByteStream {
  private readonly options: ExchangeOptions
  private state: 'waiting' | 'open' | 'ended' | 'over' = 'waiting'
  private controller: Dispatcher.DispatchController | null = null
  private sink: ByteSink | null = null
  private early: Buffer[] = []
  private earlyBytes = 0
  private lateFault: EngineFault | null = null
  private interimAnswers = 0
  private sentAtMs = 0
  private onReusedSocket = false
  private answerBegan = false
  private readEndComes = false
  private pausedByReader = false

  constructor(options: ExchangeOptions) {
    this.options = options
    options.signal.addEventListener('abort', this, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    this.sentAtMs = this.options.clock.monotonic()
    this.onReusedSocket = this.options.connection.answers > 0
  }

  /** The first byte that comes back, of an interim answer too. The library has no newer name for this moment. */
  onResponseStarted(): void {
    this.answerBegan = true
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) this.countInterim()
    else this.open({ status, headers, headerCount: countHeaders(controller), nowMs: this.options.clock.now() })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.sink !== null) this.deliver(this.sink, chunk)
    else {
      this.early.push(chunk)
      this.earlyBytes += chunk.length
      if (this.earlyBytes > earlyBytesMax) controller.pause()
    }
  }

  onResponseEnd(): void {
    if (this.state !== 'open') return
    this.state = 'ended'
    this.leaveSignal()
    this.options.connections.give(this.options.connection)
    if (this.sink !== null) this.deliverEnd(this.sink)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(toEngineFault(error, { staleConnection: this.diedUnread() }))
  }

  consume(sink: ByteSink): void {
    this.sink = sink
    const { early } = this
    this.early = []
    for (const chunk of early) {
      if (this.sink === null) return
      this.deliver(sink, chunk)
    }
    if (this.sink === null) return
    if (this.state === 'ended') this.deliverEnd(sink)
    else if (this.lateFault !== null) sink.onFault(this.lateFault)
    else if (this.earlyBytes > earlyBytesMax && !this.pausedByReader) this.controller?.resume()
  }

  pause(): void {
    this.pausedByReader = true
    if (this.state === 'open') this.controller?.pause()
  }

  /** Only while the body is coming: afterwards the connection may be reading another answer. */
  resume(): void {
    this.pausedByReader = false
    if (this.state === 'open') this.controller?.resume()
  }

  cancel(): void {
    this.sink = null
    this.early = []
    this.lateFault = null
    this.fail(createFault('aborted'))
  }

  /** The caller's signal. */
  handleEvent(): void {
    this.fail(createFault('aborted', { cause: this.options.signal.reason }))
  }

  private open(received: ReceivedHead): void {
    try {
      const head = readAnswerHead(received)
      this.state = 'open'
      this.options.onHead({ ...head, body: this })
    } catch (error) {
      this.fail(toEngineFault(error))
    }
  }

  private deliver(sink: ByteSink, chunk: Buffer): void {
    try {
      sink.onBytes(chunk)
    } catch (cause) {
      this.stopReader(sink, cause)
      return
    }
    if (sink.onReadEnd === undefined || this.readEndComes) return
    this.readEndComes = true
    process.nextTick(endRead, this)
  }

  private deliverEnd(sink: ByteSink): void {
    this.sink = null
    try {
      sink.onEnd()
    } catch (cause) {
      this.stopReader(sink, cause)
    }
  }

  /** A reader that throws must neither hang nor take the process along: its own answer ends with a fault. */
  private stopReader(sink: ByteSink, cause: unknown): void {
    this.cancel()
    sink.onFault(createFault('bad_answer', { message: 'the answer could not be read', cause }))
  }

  /** Runs after everything that one read from the socket has brought. */
  endRead(): void {
    this.readEndComes = false
    const { sink } = this
    try {
      sink?.onReadEnd?.()
    } catch (cause) {
      if (sink !== null) this.stopReader(sink, cause)
    }
  }

  private countInterim(): void {
    this.interimAnswers += 1
    if (this.interimAnswers > interimMax) {
      this.fail(createFault('bad_answer', { message: 'the node sent only interim answers' }))
    }
  }

  /** Closing the connection is also how an engine is told to stop: HTTP/1.1 has no other way. */
  private fail(fault: EngineFault): void {
    if (this.state === 'ended' || this.state === 'over') return
    const waiting = this.state === 'waiting'
    this.state = 'over'
    this.leaveSignal()
    this.options.connections.drop(this.options.connection)
    const { sink } = this
    this.sink = null
    if (waiting) this.options.onFault(fault)
    else if (sink === null) this.lateFault = fault
    else sink.onFault(fault)
  }

  private leaveSignal(): void {
    this.options.signal.removeEventListener('abort', this)
  }

  private diedUnread(): boolean {
    if (!this.onReusedSocket || this.answerBegan) return false
    return this.options.clock.monotonic() - this.sentAtMs <= staleWithinMs
  }
}

function countHeaders({ rawHeaders }: Dispatcher.DispatchController): number {
  return Array.isArray(rawHeaders) ? rawHeaders.length / 2 : 0
}

function endRead(exchange: Exchange): void {
  exchange.endRead()
}
