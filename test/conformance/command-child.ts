import { buildGrant } from './builders.ts'
import { openSqlite } from './open-store.ts'

/** A command in a process of its own: `command-child.ts PATH ACCOUNT COUNT` credits one nano-dollar so many times. */
const [path = '', accountId = '', count = '0'] = process.argv.slice(2)
const storage = await openSqlite(path, 'command')
for (let index = 0; index < Number(count); index++) await storage.ledger.post(buildGrant(accountId, 1n))
await storage.close()
