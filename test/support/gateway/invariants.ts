import { waitFor } from '../wait-for.ts'
import type { Gateway } from './gateway.ts'
import { verifyWhenQuiet } from './ledger-check.ts'
import { eventsNamed } from './log-lines.ts'
import { findSecrets } from './secrets.ts'

/** An engine that hangs after its whole answer is left when its connection has been idle for a few seconds. */
const engineQuietMs = 7_000
const logMs = 2_000

const brokenProcess =
  /unhandled ?rejection|uncaught ?exception|UnhandledPromise|MaxListenersExceeded|\(node:\d+\) \w*Warning|"request\.failed"/i

/** What no caller may read in an error: stacks, SQL, files, code. */
const innerWorkings = /\n\s+at |node_modules|\.ts:\d|\.js:\d|SQLITE_|\bSELECT\b.+\bFROM\b|ECONN[A-Z]+|UND_ERR/

/** What `/api/v1` says with 500 when it is the engines that failed (venice.md §4.2). */
const engineFailed = '"code":"INFERENCE_FAILED"'

/**
 * What must hold after every test, whatever it did (reliability.md §5.2). Resolves with what does not, in words.
 */
export async function findViolations(gateway: Gateway): Promise<string[]> {
  const engines = await judgeEngines(gateway)
  const books = await judgeBooks(gateway)
  return [
    ...engines,
    ...books,
    ...judgeOutput(gateway),
    ...judgeErrors(gateway),
    ...judgeStreams(gateway),
    ...gateway.witness.surprises,
  ]
}

/** No request is left running on an engine, and every byte that came to one was well-formed HTTP. */
async function judgeEngines({ engines }: Gateway): Promise<string[]> {
  const problems: string[] = []
  for (const [id, engine] of engines) {
    const running = () => engine.requests.filter(({ ending }) => ending === undefined).length
    await waitFor(`engine ${id} to be idle`, () => running() === 0, { withinMs: engineQuietMs }).catch(() => {
      problems.push(`${running()} requests still run on engine ${id}`)
    })
    problems.push(...engine.protocolErrors.map(error => `engine ${id} was spoken to wrongly: ${error}`))
  }
  return problems
}

/** Σ entries = 0, debits = usage records, one settlement per request, no open hold, one terminal log line per request. */
async function judgeBooks(gateway: Gateway): Promise<string[]> {
  const report = await verifyWhenQuiet(await gateway.store())
  const problems = report.problems.map(problem => `ledger: ${problem}`)
  if (!report.ok) problems.push('ledger verify is not ok')
  if (report.holdsOpen > 0) problems.push(`${report.holdsOpen} holds are open`)
  if (gateway.witness.runs.some(run => run.exit?.signal === 'SIGKILL')) return problems
  const ended = () => gateway.witness.runs.flatMap(run => eventsNamed(run.output, 'completion.ended'))
  await waitFor('the log', () => ended().length >= report.usageRecords, { withinMs: logMs }).catch(() => undefined)
  const requests = ended().map(({ requestId }) => requestId)
  // A request was refused when the store's answer was lost; what was held for it all the same is in the books alone.
  const lost = gateway.witness.runs.some(run => eventsNamed(run.output, 'store.unreachable').length > 0)
  if (lost ? requests.length > report.usageRecords : requests.length !== report.usageRecords)
    problems.push(`${requests.length} terminal log lines for ${report.usageRecords} usage records`)
  if (new Set(requests).size !== requests.length) problems.push('a request has two terminal log lines')
  return problems
}

function judgeOutput(gateway: Gateway): string[] {
  const keys = [...gateway.accounts.values()].map(({ name, key }) => [`the key of ${name}`, key] as const)
  return gateway.witness.runs.flatMap(({ output }) => {
    const found = findSecrets(output, { ...gateway.secrets, ...Object.fromEntries(keys) })
    const broken = brokenProcess.exec(output)
    return [
      ...found.map(name => `${name} stands in the log`),
      ...(broken === null ? [] : [`the output says ${broken[0]}: ${around(output, broken.index)}`]),
    ]
  })
}

function judgeErrors({ witness, secrets, engines, installation }: Gateway): string[] {
  const addresses = [...engines].map(([id, { port }]) => [`the address of engine ${id}`, `:${port}`] as const)
  const hidden = { ...secrets, ...Object.fromEntries(addresses), 'the data folder': installation.folder }
  return witness.errors.flatMap(({ status, text }) => [
    ...(status === 500 && !text.includes(engineFailed) ? [`a 500: ${text}`] : []),
    ...findSecrets(text, { ...hidden, 'the engine’s model': 'internal-name-of' }).map(name => `${name} in ${text}`),
    ...(innerWorkings.test(text) ? [`inner workings in ${text}`] : []),
  ])
}

function judgeStreams({ witness }: Gateway): string[] {
  return witness.streams.flatMap(({ end, violations, doneCount }) => [
    ...violations.map(violation => `a stream that was not well-formed: ${violation}`),
    ...(end === 'complete' && doneCount !== 1 ? [`a stream with ${doneCount} × [DONE]`] : []),
  ])
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 500), index + 1_000)
}
