import type { Config } from '../config/config.ts'
import type { RouteSettings } from '../server/server-dependencies.ts'

/** The configuration's part in what ordinary routes do. */
export function routeSettingsOf({ ownedBy, keys, accounts }: Config): RouteSettings {
  return {
    ownedBy,
    keyPrefix: keys.prefix,
    selfService: accounts.selfService,
  }
}
