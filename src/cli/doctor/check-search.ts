import type { Model } from '../../core/model.ts'
import type { SearchProvider } from '../../domain/search/search-provider.ts'
import type { SearchFailureKind } from '../../domain/search/types.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { type Check, failed, passed } from './check.ts'

const probeMs = 5_000
/** Anything will do, as long as every provider of the web finds something for it. */
const question = 'weather'
const wishes = { limit: 1, language: null, freshness: null }

export interface SearchProbe {
  readonly provider: SearchProvider
  /** Whether each question costs the operator something. */
  readonly isPaid: boolean
}

/** Whether a provider answers a search. One that may cost money is asked only where that is wished. */
export async function checkSearch({ provider, isPaid }: SearchProbe, asksPaid: boolean): Promise<Check> {
  const name = `search ${provider.name}`
  if (provider.name === 'embedded') return checkIndex(name, await provider.isReady())
  if (isPaid && !asksPaid) return passed(name, 'was not asked, because a search may cost; --search asks it')
  const outcome = await ask(provider)
  if (outcome === 'found') return passed(name, 'answered a search')
  if (outcome === 'empty') return passed(name, 'answered a search, and found nothing')
  const { detail, mend } = words[outcome]
  return failed(name, detail, provider.name === 'searxng' && outcome === 'unauthorised' ? mendFormats : mend)
}

/** Whether the model is there that decides for `auto`: those of engines that are found are known only once they are. */
export function checkAutoModel(autoModel: string, models: readonly Pick<Model, 'id'>[]): Check {
  const name = 'search autoModel'
  if (models.some(({ id }) => id === autoModel)) return passed(name, `${autoModel} decides where signs are not clear`)
  const mend = 'name a model that `rialto models` lists, or none'
  return failed(name, `there is no model ${autoModel}, so that the signs of a question decide alone`, mend)
}

function checkIndex(name: string, isReady: boolean): Check {
  return passed(name, isReady ? 'holds documents' : 'holds no document; rialto index add adds some')
}

async function ask(provider: SearchProvider): Promise<'found' | SearchFailureKind> {
  try {
    const answer = await provider.search(question, wishes, lastingTimeout(probeMs))
    return 'results' in answer ? 'found' : answer.failure
  } catch {
    // Providers reject with what the signal says and for nothing else.
    return 'timeout'
  }
}

const mendFormats = 'add json to search.formats in the settings.yml of SearXNG'

const words: Readonly<Record<Exclude<SearchFailureKind, 'empty'>, { readonly detail: string; readonly mend: string }>> =
  {
    unauthorised: {
      detail: 'does not take the key (401, or no credit)',
      mend: 'correct its apiKey, or top up its account',
    },
    rate_limited: { detail: 'turns us away for asking too much (429)', mend: 'wait, or raise its quota' },
    down: {
      detail: 'cannot be reached, or answers with an error of its own',
      mend: 'start it, or correct its baseUrl; look at firewalls between here and there',
    },
    garbage: { detail: 'answers something that is no answer of its API', mend: 'correct its baseUrl' },
    timeout: {
      detail: `did not answer within ${probeMs / 1_000} s`,
      mend: 'look at its load, or at the network between here and there',
    },
  }
