import type { Config } from '../config/config.ts'
import { fingerprintOf, withOwnSections } from '../config/own-sections.ts'
import type { Logger } from '../core/logger.ts'
import { StoreUnavailable } from '../core/store-error.ts'
import type { Timers } from '../core/timers.ts'
import { changeDocument, openContent } from '../domain/replicas/change-document.ts'
import {
  type ConfigurationText,
  configurationDocument,
  decodeConfiguration,
  publishIfNew,
  publishText,
} from '../domain/replicas/published-configuration.ts'
import type { SharedDocuments } from '../domain/replicas/shared-documents.ts'
import type { SharedDocument } from '../domain/replicas/types.ts'
import type { LoadedConfig, OwnConfig } from './own-config.ts'

/** A changed file is published as soon as the store takes it: tried every second, for ten minutes. */
const tryEveryMs = 1_000
const triesMax = 600
const problemLinesMax = 20

export interface ShareOptions {
  readonly documents: SharedDocuments
  readonly own: LoadedConfig
  readonly load: OwnConfig['load']
  readonly logger: Logger
  readonly timers: Timers
  /** Puts a configuration into force. */
  readonly reload: (config: Config) => Promise<void>
  /** Has `apply` called with what is stored now. */
  readonly refresh: () => Promise<void>
}

/** This gateway's part in following one configuration with all the others on its store. */
export interface SharedConfiguration {
  /** Publishes this gateway's own text where it is new, and resolves when what is published was taken over. @throws StoreUnavailable */
  announce(): Promise<void>
  /** Follows what is published now. What cannot be used is logged once, and the last good configuration stays. */
  apply(document: SharedDocument): Promise<void>
  /**
   * Takes what this gateway's file says now: publishes it when it was changed, else as `announce` does. Resolves when what is
   * published is in force here. @throws Error
   */
  change(next: LoadedConfig): Promise<void>
  stop(): void
}

export function shareConfiguration(options: ShareOptions): SharedConfiguration {
  const { documents, logger, timers, reload, refresh } = options
  let own: LoadedConfig = options.own
  /** The version that was judged last, good or not. */
  let judged = 0
  /** Why what is published could not be put into force at the last attempt. */
  let fault: { readonly error: unknown } | null = null
  let stopped = false

  function read(document: SharedDocument): Config | null {
    try {
      const { text, changedSeconds } = decodeConfiguration(openContent(document))
      const file = { path: own.file.path, name: 'the published configuration', text, changedSeconds }
      return withOwnSections(options.load(file), own.config)
    } catch (error) {
      logger.error('config.refused', { published: document.version, problems: problemsOf(error) })
      return null
    }
  }

  async function announce(): Promise<void> {
    const text = describe(own)
    const judgement = await changeDocument(documents, configurationDocument, found => publishIfNew(found, text))
    if (judgement === 'earlier') logger.warn('config.superseded', { mend: supersededMend })
    if (judgement === 'new') logger.info('config.published')
    await refresh()
  }

  async function publish(): Promise<void> {
    const text = describe(own)
    const isNew = await changeDocument(documents, configurationDocument, found => publishText(found, text))
    if (isNew) logger.info('config.published')
    // Also where another process was quicker: that it is stored does not say that it is in force here.
    await refresh()
  }

  async function putIntoForce(config: Config): Promise<void> {
    try {
      await reload(config)
      fault = null
    } catch (error) {
      fault = { error }
      throw error
    }
  }

  async function keepTrying(run: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await run()
        if (fault !== null) throw fault.error
        return
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || stopped || tries === triesMax) throw error
        await new Promise<void>(resolve => timers.after(tryEveryMs, resolve))
      }
    }
  }

  return {
    announce,
    async apply(document) {
      if (document.version === judged) return
      const config = read(document)
      if (config !== null) {
        await putIntoForce(config)
        logger.info('config.followed', { published: document.version })
      }
      judged = document.version
    },
    async change(next) {
      const isChanged = next.file.text !== own.file.text
      own = next
      // Reading an old file again, as SIGHUP asks for, must not bring old prices back.
      await keepTrying(isChanged ? publish : announce)
    },
    stop() {
      stopped = true
    },
  }
}

const supersededMend =
  'this file was published before, and another since: `rialto config show` prints the one in force, `rialto config publish` publishes this file'

function describe({ file: { text, changedSeconds } }: LoadedConfig): ConfigurationText {
  return { text, changedSeconds, fingerprint: fingerprintOf(text) }
}

function problemsOf(error: unknown): readonly string[] {
  const lines = error instanceof Error ? error.message.split('\n') : ['unknown reason']
  return lines.slice(0, problemLinesMax).map(line => line.trim())
}
