import { defineCommand } from 'citty'
import { acceptSecret as acceptNewSecret } from '../../pipeline/check-secret.ts'
import { CommandError } from '../command-error.ts'
import { configArgument, jsonArgument } from '../common-arguments.ts'
import { encodeListedKey, renderKeys } from '../key-row.ts'
import { print, printJson } from '../output.ts'
import { accountNamed, withStore } from '../with-store.ts'
import { keyCreateCommand } from './key-create.ts'

const list = defineCommand({
  meta: { description: 'Lists the keys that are not revoked. The keys themselves are not stored.' },
  args: {
    account: { type: 'string', valueHint: 'NAME', description: 'only this account’s keys' },
    all: { type: 'boolean', description: 'revoked keys too' },
    ...configArgument,
    ...jsonArgument,
  },
  run: ({ args }) =>
    withStore(args, async context => {
      const { identity } = context.storage
      const account = args.account === undefined ? null : await accountNamed(context, args.account)
      const names = new Map((await identity.listAccounts()).map(({ id, name }) => [id, name]))
      const keys = (await identity.listKeys(account?.id ?? null))
        .filter(key => args.all === true || key.revokedAtMs === null)
        .map(key => ({ key, account: names.get(key.accountId) ?? key.accountId }))
      if (args.json === true) printJson(keys.map(listed => encodeListedKey(listed, args.all === true)))
      else
        print(
          keys.length === 0
            ? 'No keys. Make one: rialto key create --account NAME'
            : renderKeys(keys, context.ground.clock.now()),
        )
    }),
})

const revoke = defineCommand({
  meta: { description: 'Revokes a key. A running gateway refuses it within a second; streams that run end normally.' },
  args: {
    id: { type: 'positional', required: true, description: 'as key list shows it: key_…' },
    ...configArgument,
    ...jsonArgument,
  },
  run: ({ args }) =>
    withStore(args, async ({ storage, ground }) => {
      const atMs = ground.clock.now()
      if (!(await storage.identity.revokeKey(args.id, atMs))) {
        throw new CommandError(
          `There is no key ${args.id}, or it was revoked before. rialto key list shows what there is.`,
        )
      }
      if (args.json === true) printJson({ id: args.id, revokedAt: new Date(atMs).toISOString() })
      else print(`${args.id} is revoked.`)
    }),
})

const acceptSecret = defineCommand({
  meta: {
    description: 'After the secret was lost: binds the store to the present one. All keys have to be made anew.',
  },
  args: { ...configArgument, ...jsonArgument },
  run: ({ args }) =>
    withStore(args, async ({ storage, ground }) => {
      await acceptNewSecret(storage.identity, ground.secret)
      if (args.json === true) printJson({ accepted: true })
      else print('The store belongs to the present secret. Make new keys: rialto key create --account NAME')
    }),
})

export const keyCommand = defineCommand({
  meta: { description: 'Makes, lists and revokes API keys.' },
  subCommands: { create: keyCreateCommand, list, revoke, 'accept-secret': acceptSecret },
})
