import type { GatewayClient } from '../../core/gateway-client.ts'
import { formatUsd } from '../../core/money.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { isTerminal, printJson, printPiece } from '../output.ts'
import { createAnswerView } from './answer-view.ts'
import type { Conversation } from './conversation.ts'
import { type ReceivedAnswer, receiveAnswer } from './receive-answer.ts'

const messageBytesMax = 8_388_608

/** The question on stdin, the answer alone on stdout: `echo hi | rialto chat` in a script. @throws CommandError */
export async function pipeChat(client: GatewayClient, conversation: Conversation, asJson: boolean): Promise<void> {
  const text = (await readStandardInput()).trim()
  if (text === '') throw new UsageError('There is no question: write it to stdin, or start rialto chat on a terminal.')
  // On a screen the text is cleaned; in a pipe or file it stays exactly what the model wrote.
  const view = isTerminal() ? createAnswerView(() => '') : null
  const show = view === null ? (piece: { readonly text: string }) => piece.text : view.show
  const body = conversation.requestFor(text)
  const onPiece = asJson ? (): void => undefined : (piece: ReceivedPiece) => printPiece(show(piece))
  const answer = await receiveAnswer(client, { body, onPiece }, new AbortController().signal)
  if (!asJson && answer.text !== '' && !answer.text.endsWith('\n')) printPiece('\n')
  if (answer.error !== null) throw new CommandError(answer.error)
  if (asJson) printJson(encodeAnswer(conversation.model, answer))
}

interface ReceivedPiece {
  readonly text: string
  readonly reasoning: string
}

function encodeAnswer(model: string, { id, text, reasoning, finishReason, usage, sources }: ReceivedAnswer) {
  const costNano = usage?.costNano ?? null
  return {
    ...{ id, model, content: text, reasoning, finishReason },
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    costUsd: costNano === null ? null : formatUsd(costNano),
    sources,
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > messageBytesMax) throw new UsageError(`The question is longer than ${messageBytesMax} bytes.`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
