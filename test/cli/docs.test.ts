import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { slashCommands } from '../../src/cli/chat/slash-command.ts'
import { rootCommand } from '../../src/cli/command-tree.ts'
import { describeCommand, findCommand } from '../../src/cli/find-command.ts'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

/** Every command that does something, with its options. */
async function allCommands(words: readonly string[] = []): Promise<{ name: string; options: string[] }[]> {
  const found = await findCommand(rootCommand, words)
  const { args, commands } = await describeCommand(found)
  if (commands.length === 0) {
    const options = Object.keys(args).filter(name => args[name]?.type !== 'positional')
    return [{ name: words.join(' '), options }]
  }
  return (await Promise.all(commands.map(([name]) => allCommands([...words, name])))).flat()
}

it('the page names every command and every option that there is', async () => {
  const commands = await allCommands()
  expect(commands.length).toBeGreaterThan(15)
  for (const { name, options } of commands) {
    const [group = '', verb] = name.split(' ')
    expect(page).toContain(`\`${group}`)
    if (verb !== undefined) expect(page).toMatch(new RegExp(`\\b${verb}\\b`))
    for (const option of options) expect(page, `--${option} of ${name}`).toContain(`--${option}`)
  }
})

it('the page names every command of the chat', () => {
  for (const name of Object.keys(slashCommands)) expect(page).toContain(`\`/${name}`)
})
