/**
 * A process that holds a GGUF engine as the gateway does, for tests that end it without warning. It says on stdout what
 * happens and keeps the engine generating.
 */
import { createGgufClient } from './gguf-client.ts'
import { startGguf } from './start-gguf.ts'

const say = (event: string, fields: object): void => {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
}

try {
  let pid: unknown
  const engine = await startGguf(process.argv[2] ?? '', {
    contextTokens: 8_192,
    onEvent: (_event, fields) => {
      pid = fields['pid']
    },
  })
  const response = await createGgufClient(engine).post({ stream: true })
  for await (const _chunk of response.body ?? []) say('generating', { pid })
} catch (error) {
  say('failed', { message: error instanceof Error ? error.message : '' })
}
