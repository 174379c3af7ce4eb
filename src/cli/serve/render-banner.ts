import type { Installation } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { Model } from '../../core/model.ts'
import { formatUsd } from '../../core/money.ts'
import type { FirstRun } from '../../pipeline/first-run.ts'
import { describePrice } from '../model-row.ts'
import { renderTable } from '../render-table.ts'

export interface BannerFacts {
  readonly installation: Installation
  /** What is in force: of the installation, the command line and a model of --gguf. */
  readonly config: Config
  /** The model that the gateway runs itself; null without --gguf. */
  readonly gguf: string | null
  /** How many processes serve. */
  readonly workers: number
  /** Where callers on this machine reach the gateway, without a trailing slash. */
  readonly baseUrl: string
  /** Null when the installation was set up before. */
  readonly firstRun: FirstRun | null
  readonly version: string
}

const modelsShown = 20

/**
 * What an operator has to know after the start (operator.md §1): the keys once, with a call that works when it is pasted,
 * where the data lies, and what is sold for how much. Plain text, also where the log is JSON.
 */
export function renderBanner({ installation, config, gguf, workers, baseUrl, firstRun, version }: BannerFacts): string {
  const { dataFolder, file } = installation
  const places = [
    ['data', dataFolder],
    ['config', file?.path ?? 'none (rialto init writes one)'],
    ...(workers > 1 ? [['workers', `${workers} processes on one port`]] : []),
    ['engines', `${gguf === null ? '' : `${gguf} in this gateway; `}${describeEngines(installation)}`],
  ]
  return [
    `Rialto ${version}`,
    firstRun === null ? renderReturn() : renderFirstRun(firstRun, config.models, baseUrl),
    renderTable(places, { indent: '  ' }),
    renderModels(config.models),
    `Ready on ${baseUrl}`,
  ].join('\n\n')
}

function renderFirstRun(keys: FirstRun, models: readonly Model[], baseUrl: string): string {
  const rows = [
    ['inference key', keys.inferenceKey],
    ['admin key', keys.adminKey],
    ['operator token', keys.operatorToken],
  ]
  const model = defaultModel(models)
  const credit = keys.creditedNano > 0n ? ` with ${formatUsd(keys.creditedNano)} USD of credit` : ''
  return [
    `First start: these belong to the account "default"${credit}. Keep them, only their hashes are stored.`,
    renderTable(rows, { indent: '  ' }),
    ...(model === undefined ? [] : [`Try it:\n\n  ${renderCurl(baseUrl, keys.inferenceKey, model.id)}`]),
  ].join('\n\n')
}

function renderReturn(): string {
  return 'Keys were shown at the first start. Make another: rialto key create --account default'
}

/** What is sold comes before what is free: a first call shows what it costs. */
function defaultModel(models: readonly Model[]): Model | undefined {
  const texts = models.filter(({ type }) => type === 'text')
  const sold = texts.filter(({ free }) => !free)
  const candidates = sold.length > 0 ? sold : texts
  return candidates.find(({ traits }) => traits.includes('default')) ?? candidates[0]
}

/** One line for a POSIX shell. */
function renderCurl(baseUrl: string, key: string, model: string): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello in one sentence.' }] })
  const parts = [`'authorization: Bearer ${key}'`, `'content-type: application/json'`].map(header => `-H ${header}`)
  return ['curl', `${baseUrl}/v1/chat/completions`, ...parts, '-d', quote(body)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function describeEngines({ engineSource, config, found }: Installation): string {
  switch (engineSource) {
    case 'file':
      return `${config.engines.map(({ id }) => id).join(', ')} (of the configuration file)`
    case 'environment':
    case 'discovered':
      return `${found.map(({ id, baseUrl }) => `${id} at ${baseUrl}`).join(', ')} (found; sold at pricing.default)`
    case 'embedded':
      return 'none found: the built-in test mode answers, which is no language model'
  }
}

function renderModels(models: readonly Model[]): string {
  if (models.length === 0) return '  No models are configured: nothing can be asked for.'
  const rows = models.slice(0, modelsShown).map(model => [model.id, describePrice(model)])
  const rest = models.length - rows.length
  return renderTable([...rows, ...(rest > 0 ? [[`and ${rest} more`, 'rialto models lists them']] : [])], {
    indent: '  ',
  })
}
