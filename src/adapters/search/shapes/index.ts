import type { ProviderShape } from '../provider-shape.ts'
import { braveShape } from './brave.ts'
import { exaShape } from './exa.ts'
import { kagiShape } from './kagi.ts'
import { marginaliaShape } from './marginalia.ts'
import { searxngShape } from './searxng.ts'
import { serperShape } from './serper.ts'
import { tavilyShape } from './tavily.ts'

/** Every provider that is asked over the network, by its name in the configuration. */
export const providerShapes = {
  searxng: searxngShape,
  brave: braveShape,
  tavily: tavilyShape,
  exa: exaShape,
  serper: serperShape,
  kagi: kagiShape,
  marginalia: marginaliaShape,
} satisfies Readonly<Record<string, ProviderShape>>

export type RemoteProviderName = keyof typeof providerShapes
