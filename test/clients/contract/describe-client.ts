import { describe } from 'vitest'
import type { Client } from '../client.ts'
import { describeAnswers } from './describe-answers.ts'
import { describeErrors } from './describe-errors.ts'
import { describeLeaving } from './describe-leaving.ts'
import { describeRetries } from './describe-retries.ts'
import { describeTools } from './describe-tools.ts'
import type { ContractOptions } from './traits.ts'

/**
 * A real, unmodified client against the gateway, told nothing but address and key (venym.md §6): the same contract for
 * every client.
 */
export function describeClient(name: string, client: Client, options: ContractOptions): void {
  describe(name, () => {
    describe('answers', () => describeAnswers(client, options))
    describe('tools and schemas', () => describeTools(client, options))
    describe('leaving', () => describeLeaving(client, options))
    describe('errors', () => describeErrors(client, options))
    describe('trying again', () => describeRetries(client, options))
  })
}
