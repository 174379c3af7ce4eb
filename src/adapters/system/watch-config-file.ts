import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { ConfigFollower, type ConfigFollowerOptions } from './config-follower.ts'

/** Half of the second in which a change must take effect everywhere (operator.md §6). */
const pollMs = 500

export interface ConfigWatch {
  /** Takes the file as it is now, changed or not, as SIGHUP asks for. Never rejects: what is wrong is logged. */
  reload(): Promise<void>
  close(): void
}

/**
 * Keeps a configuration in step with its file (operator.md §3): a valid change is put into force, an invalid one is
 * refused and logged, and the last good one stays, also when the file is emptied or removed. The file is looked at twice a
 * second; where the system reports changes, at once.
 */
export function watchConfigFile<Config>(options: ConfigFollowerOptions<Config>): ConfigWatch {
  const follower = new ConfigFollower(options)
  const look = (): void => {
    void follower.check()
  }
  const timer = setInterval(look, pollMs)
  timer.unref()
  const watcher = watchFolder(options, look)
  return {
    reload: () => follower.reload(),
    close() {
      clearInterval(timer)
      watcher?.close()
      follower.close()
    },
  }
}

/** Watches the folder, because editors put a new file in the old one's place. Null where the system cannot. */
function watchFolder<Config>(options: ConfigFollowerOptions<Config>, look: () => void): FSWatcher | null {
  const { path, logger } = options
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === basename(path)) look()
    })
    watcher.on('error', error => logger.debug('config.watch_lost', { error }))
    return watcher
  } catch (error) {
    logger.debug('config.watch_unavailable', { error })
    return null
  }
}
