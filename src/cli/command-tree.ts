import { defineCommand } from 'citty'
import { accountCommand } from './commands/account.ts'
import { benchCommand } from './commands/bench.ts'
import { chatCommand } from './commands/chat.ts'
import { creditCommand } from './commands/credit.ts'
import { doctorCommand } from './commands/doctor.ts'
import { enginesCommand } from './commands/engines.ts'
import { initCommand } from './commands/init.ts'
import { keyCommand } from './commands/key.ts'
import { ledgerCommand } from './commands/ledger.ts'
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
    key: keyCommand,
    models: modelsCommand,
    engines: enginesCommand,
    chat: chatCommand,
    ledger: ledgerCommand,
    bench: benchCommand,
  },
})
