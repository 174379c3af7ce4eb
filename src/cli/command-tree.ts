import { defineCommand } from 'citty'
import { accountCommand } from './commands/account.ts'
import { benchCommand } from './commands/bench.ts'
import { chatCommand } from './commands/chat.ts'
import { configCommand } from './commands/config.ts'
import { creditCommand } from './commands/credit.ts'
import { doctorCommand } from './commands/doctor.ts'
import { enginesCommand } from './commands/engines.ts'
import { indexCommand } from './commands/index.ts'
import { initCommand } from './commands/init.ts'
import { keyCommand } from './commands/key.ts'
import { ledgerCommand } from './commands/ledger.ts'
import { migrateCommand } from './commands/migrate.ts'
import { modelsCommand } from './commands/models.ts'
import { serveCommand } from './commands/serve.ts'

/** Every command (operator.md §2). What they need is loaded when they run, so that small ones start at once. */
export const rootCommand = defineCommand({
  meta: { description: 'Rialto, a self-hosted gateway that sells LLM inference.' },
  subCommands: {
    serve: serveCommand,
    init: initCommand,
    doctor: doctorCommand,
    account: accountCommand,
    credit: creditCommand,
    config: configCommand,
    key: keyCommand,
    models: modelsCommand,
    engines: enginesCommand,
    chat: chatCommand,
    index: indexCommand,
    ledger: ledgerCommand,
    migrate: migrateCommand,
    bench: benchCommand,
  },
})
