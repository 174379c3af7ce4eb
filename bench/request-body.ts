import type { Scenario } from './scenarios.ts'

/** The request body of a scenario: ASCII JSON of exactly `bodyBytes`, with the engine's key near its start. */
export function requestBody(scenario: Pick<Scenario, 'answer' | 'engineMode' | 'bodyBytes'>, model: string): string {
  const build = (content: string) =>
    JSON.stringify({
      model,
      bench: scenario.engineMode,
      ...(scenario.answer === 'stream' ? { stream: true, stream_options: { include_usage: true } } : {}),
      max_tokens: 256,
      temperature: 0.7,
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content },
      ],
    })
  const missing = scenario.bodyBytes - build('').length
  return build('Tell me about the river and the old bridge over it. '.repeat(missing / 52 + 1).slice(0, missing))
}
