import type { Environment } from '../../config/env.ts'
import type { Secret } from '../../lib/secret.ts'
import { CommandError } from '../command-error.ts'
import { parseApiKey } from './open-chat.ts'

export interface KeySources {
  readonly environment: Environment
  /** Somebody sits at the terminal and can be asked. */
  readonly isTalk: boolean
}

/** The key of the command line, of the environment, or of the person, who is asked for it. @throws CommandError */
export async function findKey(given: string | undefined, { environment, isTalk }: KeySources): Promise<Secret> {
  if (given !== undefined) return parseApiKey(given)
  if (environment.apiKey !== null) return environment.apiKey
  if (!isTalk) {
    throw new CommandError(
      'A key is needed: set RIALTO_API_KEY, or give --key. Make one: rialto key create --account NAME',
    )
  }
  const { isCancel, password } = await import('@clack/prompts')
  const typed = await password({ message: 'API key (or set RIALTO_API_KEY)' })
  if (isCancel(typed) || typed === undefined) throw new CommandError('Without a key there is no chat.')
  return parseApiKey(typed.trim())
}

/** One of the models, which the person chooses where there are several. @throws CommandError */
export async function chooseModel(models: readonly string[]): Promise<string | undefined> {
  if (models.length < 2) return models[0]
  const { isCancel, select } = await import('@clack/prompts')
  const chosen = await select({ message: 'Model', options: models.map(id => ({ value: id, label: id })) })
  if (isCancel(chosen)) throw new CommandError('No model was chosen.')
  return chosen
}
