import { writeFileSync } from 'node:fs'
import type { Clock } from '../../core/clock.ts'
import type { GatewayClient } from '../../core/gateway-client.ts'
import { suggest } from '../../lib/edit-distance.ts'
import { print, printPiece, styled, type Terminal } from '../output.ts'
import { renderTable } from '../render-table.ts'
import { createAnswerView, renderCost, renderSources } from './answer-view.ts'
import type { Conversation } from './conversation.ts'
import { findStoppedUsage } from './find-stopped-usage.ts'
import { receiveAnswer } from './receive-answer.ts'
import { renderTranscript } from './render-transcript.ts'
import { completeLine, parseSlashCommand, type SlashCommand, slashCommands } from './slash-command.ts'
import { createTerminalInput } from './terminal-input.ts'

export interface TerminalChat {
  readonly client: GatewayClient
  readonly conversation: Conversation
  readonly models: readonly string[]
  readonly clock: Clock
  readonly terminal: Terminal
}

const hint = '/help shows the commands. Ctrl-C stops an answer. \\ at the end of a line, """ or a paste: several lines.'

/** Talks until the person leaves. */
export async function terminalChat(chat: TerminalChat): Promise<void> {
  let stop: AbortController | null = null
  let leaving = false
  const input = createTerminalInput({
    terminal: chat.terminal,
    complete: line => completeLine(line, chat.models),
    onInterrupt() {
      if (stop !== null) stop.abort()
      else if (leaving) input.close()
      else print(`\n${dim('Ctrl-C again, Ctrl-D or /exit leaves.')}`)
      leaving = stop === null
    },
  })
  print(`${styled('bold', chat.conversation.model)}\n${dim(hint)}`)
  for (let text = await input.next(); text !== null; text = await input.next()) {
    leaving = false
    if (text.trim() === '') continue
    const command = parseSlashCommand(text)
    if (command?.name === 'exit') break
    if (command !== null) print(perform(command, chat))
    else {
      stop = new AbortController()
      await answer(chat, text.trim(), stop.signal)
      stop = null
    }
  }
  input.close()
}

async function answer({ client, conversation, clock }: TerminalChat, text: string, signal: AbortSignal): Promise<void> {
  const beganMs = clock.monotonic()
  const view = createAnswerView(dim)
  const body = conversation.requestFor(text)
  const received = await receiveAnswer(client, { body, onPiece: piece => printPiece(view.show(piece)) }, signal)
  const ms = clock.monotonic() - beganMs
  printPiece(view.end())
  conversation.remember(text, received.text)
  const usage = signal.aborted ? await findStoppedUsage(client, received.id) : received.usage
  if (usage !== null) conversation.count(usage)
  if (received.sources.length > 0) print(dim(renderSources(received.sources)))
  if (received.error !== null) print(styled('red', received.error))
  else print(dim(`${signal.aborted ? 'stopped · ' : ''}${renderCost(usage, conversation.totals, ms)}`))
  print('')
}

/** Does what a slash command asks, and returns what to print. */
function perform(command: SlashCommand, { conversation, models }: TerminalChat): string {
  switch (command.name) {
    case null: {
      const meant = command.meant === null ? '/help shows them.' : `Did you mean /${command.meant}?`
      return `There is no command /${command.word}. ${meant} A message may begin with a slash after a space.`
    }
    case 'help':
      return renderTable(Object.entries(slashCommands).map(([name, text]) => [`/${name}`, text]))
    case 'model':
      return changeModel(conversation, models, command.rest)
    case 'system':
      return changeSystem(conversation, command.rest)
    case 'save':
      return save(conversation, command.rest)
    case 'clear':
      conversation.clear()
      return 'Forgotten.'
    case 'exit':
      return ''
  }
}

function changeModel(conversation: Conversation, models: readonly string[], id: string): string {
  if (id === '') return models.map(model => `${model === conversation.model ? '* ' : '  '}${model}`).join('\n')
  const base = id.split(':')[0] ?? id
  if (!models.includes(id) && !models.includes(base)) {
    const meant = suggest(id, models)
    return `There is no model ${id}.${meant === null ? '' : ` Did you mean ${meant}?`}`
  }
  conversation.model = id
  return `Going on with ${id}.`
}

function changeSystem(conversation: Conversation, text: string): string {
  if (text === '') return conversation.system ?? 'There is no system prompt.'
  conversation.system = text === 'none' ? null : text
  return text === 'none' ? 'The system prompt is gone.' : 'The system prompt is set.'
}

function save(conversation: Conversation, file: string): string {
  if (file === '') return 'Name a file: /save FILE'
  try {
    writeFileSync(file, renderTranscript(conversation), { flag: 'wx', mode: 0o600 })
    return `Saved to ${file}.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EEXIST' ? `${file} exists already.` : `${file} cannot be written (${code ?? 'unknown reason'}).`
  }
}

function dim(text: string): string {
  return styled('dim', text)
}
