import type { GroupChannel } from '../../groups/group-sender.ts'

/** A thread costs some 25 MB; one that is seldom needed is given up after this long without work. */
const idleMs = 30_000

/**
 * A channel that is opened when it is used and closed when it was not used for a while. Groups must come one at a time, as
 * a group client sends them.
 */
export function createLazyChannel(open: () => Promise<GroupChannel>): GroupChannel {
  let opened: Promise<GroupChannel> | null = null
  let idle: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(idle)
    const channel = opened
    opened = null
    if (channel !== null) await (await channel).close()
  }

  return {
    async run(group) {
      clearTimeout(idle)
      opened ??= open()
      const results = await (await opened).run(group)
      // A thread that does not close in time is ended by its channel, so there is nobody to tell about it.
      idle = setTimeout(() => close().catch(() => undefined), idleMs)
      idle.unref()
      return results
    },
    close,
  }
}
