import { answer, type Behaviour } from '../support/mock-engine/index.ts'

/** What all clients are asked to do, so that one mock engine can play the model for each of them. */

export const weatherTool = {
  name: 'get_weather',
  description: 'The weather in a city now.',
  parameters: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
    additionalProperties: false,
  },
}

export interface WeatherInput {
  readonly city: string
}

/** What the tool says; it says so of every city. */
export function weatherIn({ city }: WeatherInput): string {
  return `${city}: 21 °C, clear`
}

/** Rounds after which a program gives up on a model that never stops calling tools. */
export const toolRoundsMax = 4

export const citySchema = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, population: { type: 'integer' as const } },
  required: ['name', 'population'],
  additionalProperties: false,
}

export const lisbon = { name: 'Lisbon', population: 545_796 }

/** A parameter that no client knows; it reaches the engine as it is (venym.md §6). */
export const unknownParameter = { param_from_2031: { a: [1, 2] } }
export const temperature = 0.25

export const toolCalls = [
  { id: 'call_lisbon', name: weatherTool.name, arguments: '{"city":"Lisbon"}' },
  { id: 'call_porto', name: weatherTool.name, arguments: '{"city":"Porto"}' },
]

export const toolAnswer = 'Clear skies in Lisbon and Porto.'

/** Calls the tool for two cities at once, and answers when it has the results. */
export const callToolsThenAnswer: Behaviour = request => {
  const messages = request.body?.['messages'] as readonly { readonly role: string }[]
  const has = messages.at(-1)?.role === 'tool'
  return answer(has ? { text: toolAnswer } : { toolCalls })(request)
}
