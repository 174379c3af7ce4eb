import { estimateTokens, noUsage, type Usage, type UsageSource } from '../../core/usage.ts'
import { judgeUsage, type UsageBounds } from '../../domain/usage/judge-usage.ts'
import type { JsonValue } from '../../lib/json.ts'
import type { ChunkFacts } from './chunk-facts.ts'

/** No tokenizer packs more code points than this into one token; beyond it an engine hides tokens in long chunks. */
const charactersPerTokenMax = 128

export interface MeterOptions extends UsageBounds {
  /** Code points of the prompt's text, for the estimate of the bill. */
  readonly promptCharacters: number
  readonly choices: number
  readonly outputLimit: number
}

export interface MeterReading {
  readonly usage: Usage
  readonly source: UsageSource
}

/**
 * Counts what an engine delivers, next to the engine: what is billed does not depend on what is shown. Engines' own
 * figures are untrusted (money.md §1); the meter keeps its own count beside them and enforces the output limit.
 */
export class Meter {
  private readonly options: MeterOptions
  private readonly tokensMax: number
  private readonly finished = new Set<number>()
  private firstReason: string | null = null
  private readonly seenChoices = new Set<number>()
  private characters = 0
  private textChunks = 0
  private reported: Usage | null = null
  /** A report stands on the chunk that it counts last, or behind it: text beyond that is in no report. */
  private reportCoversNext = false
  private textAfterReport = false
  private implausible = false
  private delivered = false

  constructor(options: MeterOptions) {
    this.options = options
    this.tokensMax = options.choices * options.outputLimit
  }

  /** Forgets a node that failed before its answer was accepted; the next one starts from nothing. */
  reset(): void {
    this.finished.clear()
    this.seenChoices.clear()
    this.firstReason = null
    this.characters = 0
    this.textChunks = 0
    this.reported = null
    this.reportCoversNext = false
    this.textAfterReport = false
    this.implausible = false
    this.delivered = false
  }

  /** Takes one chunk into account. False when the engine went beyond the output limit: it must be stopped now. */
  addChunk(facts: ChunkFacts): boolean {
    this.noteChoices(facts)
    if (!facts.hasText) return true
    const beyond = this.textChunks >= this.tokensMax || this.characters >= this.tokensMax * charactersPerTokenMax
    if (beyond) return false
    this.textChunks += 1
    this.textAfterReport ||= !this.reportCoversNext
    this.reportCoversNext = false
    this.characters += facts.textCharacters
    this.delivered = true
    return true
  }

  /** A whole answer counts as one piece of text. */
  addWhole(facts: ChunkFacts): void {
    this.noteChoices(facts)
    this.characters += facts.textCharacters
    this.delivered = facts.hasText
  }

  /** Notes an engine's usage report. Null is "not yet"; one implausible report makes the whole usage an estimate. */
  reportUsage(report: JsonValue): void {
    const judged = judgeUsage(report, this.options)
    if (judged.verdict === 'missing') return
    const shrinks =
      judged.verdict === 'plausible' &&
      this.reported !== null &&
      judged.usage.completionTokens < this.reported.completionTokens
    this.reportCoversNext = true
    this.textAfterReport = false
    if (judged.verdict === 'implausible' || shrinks) this.implausible = true
    else this.reported = judged.usage
  }

  /** Chunks with text so far: a token or more each. */
  get deliveredChunks(): number {
    return this.textChunks
  }

  get deliveredText(): boolean {
    return this.delivered
  }

  get usageIsImplausible(): boolean {
    return this.implausible
  }

  get finishReason(): string | null {
    return this.firstReason
  }

  /** Every choice that was begun has said why it ended, and at least one was begun. */
  get isFinished(): boolean {
    if (this.finished.size === 0) return false
    for (const index of this.seenChoices) if (!this.finished.has(index)) return false
    return true
  }

  /** As many as were asked for. */
  get choices(): number {
    return this.options.choices
  }

  unfinishedChoices(): readonly number[] {
    const indexes = this.seenChoices.size === 0 ? [0] : [...this.seenChoices]
    return indexes.filter(index => !this.finished.has(index))
  }

  /**
   * The bill of an answer that ended by itself: the engine's report, else the estimate (money.md §5). A report that says
   * nothing of the text after it is no report of the answer.
   */
  final(): MeterReading {
    if (this.reported !== null && !this.implausible && !this.textAfterReport)
      return { usage: this.reported, source: 'engine' }
    return this.estimate(estimateTokens(this.characters))
  }

  /** The bill of an answer that was cut: the last report if one came, else the running count (money.md §3). */
  running(): MeterReading {
    if (this.reported !== null && !this.implausible) return { usage: this.atLeast(this.reported), source: 'engine' }
    return this.estimate(this.runningTokens())
  }

  /** An estimate with `completionTokens` that somebody else derived, such as from elapsed time. */
  estimate(completionTokens: number): MeterReading {
    const promptTokens = Math.min(estimateTokens(this.options.promptCharacters), this.options.promptTokensBound)
    return {
      usage: { ...noUsage, promptTokens, completionTokens: Math.min(completionTokens, this.tokensMax) },
      source: 'estimated',
    }
  }

  private noteChoices(facts: ChunkFacts): void {
    for (const index of facts.choiceIndexes) this.seenChoices.add(index)
    for (const index of facts.finishedIndexes) this.finished.add(index)
    this.firstReason ??= facts.finishReason
  }

  /** Engines send a chunk per token or more, so that the number of chunks and the text's length both bound the count. */
  private runningTokens(): number {
    return Math.max(this.textChunks, estimateTokens(this.characters))
  }

  /** A running report may be older than the chunks that came after it. */
  private atLeast(report: Usage): Usage {
    return { ...report, completionTokens: Math.min(Math.max(report.completionTokens, this.textChunks), this.tokensMax) }
  }
}
