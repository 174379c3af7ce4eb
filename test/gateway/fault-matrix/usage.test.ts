import { answer, usagePlans } from '../../support/mock-engine/index.ts'
import { describeFaults } from './describe-faults.ts'
import { type Expectation, estimated, fault, fine, midway } from './expectation.ts'

type Plan = keyof typeof usagePlans

/** Where a report is believed, what it says is the bill; where it cannot be true, all of it is estimated (money.md §1). */
const plans: Record<Plan, Expectation | { stream: Expectation; whole: Expectation }> = {
  reported: fine(),
  nullUntilLast: fine(),
  onFinish: fine(),
  continuous: fine(),
  twice: fine(),
  wrongTotal: fine(),
  zero: fine({ prompt: 0, completion: 0 }),
  missing: estimated,
  null: estimated,
  emptyObject: estimated,
  // Counts what was generated up to then, and nothing says what came after it.
  middleChunkOnly: estimated,
  decreasing: { stream: estimated, whole: fine() },
  negative: estimated,
  negativePrompt: estimated,
  fractional: estimated,
  string: estimated,
  nanText: estimated,
  // No JSON at all: in a stream it comes when the text has been relayed.
  nanLiteral: { stream: midway, whole: fault },
  boolean: estimated,
  array: estimated,
  text: estimated,
  huge: estimated,
  infinite: estimated,
  beyondSafeInteger: estimated,
  aboveContext: estimated,
  cachedAbovePrompt: estimated,
}

describeFaults(
  'a usage report, right or wrong,',
  Object.fromEntries(
    Object.entries(plans).map(([plan, expected]) => {
      const { stream, whole } = 'stream' in expected ? expected : { stream: expected, whole: expected }
      return [`usage: ${plan}`, { behaviour: answer({ usage: usagePlans[plan as Plan] }), stream, whole }]
    }),
  ),
)
