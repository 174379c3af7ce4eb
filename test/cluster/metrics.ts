import type { Gateway } from '../support/gateway/index.ts'

/** How many completions `/metrics` shows, over all models, nodes and outcomes. */
export async function completionsShown(gateway: Gateway): Promise<number> {
  const { text } = await gateway.client.send('/metrics', { key: gateway.secrets.operatorToken })
  const lines = text.split('\n').filter(line => line.startsWith('rialto_completions_total{'))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
