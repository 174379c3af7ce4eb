import type { GroupChannel } from './group-client.ts'

/** A channel that is opened when it is first used: for what most processes never ask. */
export function createLazyChannel(open: () => Promise<GroupChannel>): GroupChannel {
  let opened: Promise<GroupChannel> | null = null
  return {
    async run(group) {
      opened ??= open()
      return (await opened).run(group)
    },
    async close() {
      if (opened !== null) await (await opened).close()
    },
  }
}
