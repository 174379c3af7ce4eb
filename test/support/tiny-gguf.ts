/**
 * Writes a valid llama-architecture GGUF of about half a megabyte, so that tests run the real llama.cpp path
 * without a download. Weights are noise from a fixed seed: the file is byte-identical on every run, and the text
 * it generates means nothing.
 *
 * Two things are not noise, because tests need them to be sure:
 * - One hidden dimension is constant, which gives each token a fixed bias. With it the model never ends by itself
 *   (an answer ends by its token limit, a stop sequence or a finished grammar) and closes JSON strings soon.
 * - The token after `<|act|>` is always `<|invoke|>`. The chat template puts `<|act|>` in front of the answer when
 *   the caller offers tools and has just spoken, so the model then calls one of them.
 */
import { writeFile } from 'node:fs/promises'

export interface TinyGgufOptions {
  /** A template without the word `tools` makes a model that cannot call tools. Default true. */
  readonly toolTemplate?: boolean
}

/** The context that the file says it was trained for. */
export const tinyGgufContextTokens = 1_024

const embeddingLength = 64
const headCount = 4
const feedForwardLength = 128
const blockCount = 2
const alignment = 32
const weightSeed = 20_261_129

/** Token types of the GGUF specification. */
const tokenNormal = 1
const tokenUnknown = 2
const tokenControl = 3
const tokenByte = 6

/** The constant dimension, before the final normalisation. */
const constantDimension = 0
const constantValue = 4

interface VocabularyEntry {
  readonly text: string
  readonly type: number
  readonly score: number
  /** Added to the token's logit, in units of about 3.6. */
  readonly bias: number
}

const templateWithoutTools = [
  '{{ bos_token }}',
  '{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}',
  '{% if add_generation_prompt %}<|assistant|>{% endif %}',
].join('')

const templateWithTools = [
  '{{ bos_token }}',
  '{% if tools %}<|system|>{% for tool in tools %}{{ tool.function | tojson }}{% endfor %}<|end|>{% endif %}',
  '{% for message in messages %}',
  "{% if message.role == 'tool' %}<|result|>{{ message.content }}<|end|>",
  '{% else %}<|{{ message.role }}|>',
  "{% if message.role == 'assistant' and tools and loop.index0 > 0 and messages[loop.index0 - 1].role == 'user' %}",
  '<|act|>{% endif %}',
  '{{ message.content if message.content }}',
  '{% if message.tool_calls %}{% for call in message.tool_calls %}',
  '<|invoke|>{{ call.function.name }}:{{ call.function.arguments | tojson }}',
  '{% endfor %}{% endif %}<|end|>{% endif %}{% endfor %}',
  '{% if add_generation_prompt %}<|assistant|>{% endif %}',
].join('')

/** Writes the fixture to `file`. */
export async function writeTinyGguf(file: string, options: TinyGgufOptions = {}): Promise<void> {
  const template = (options.toolTemplate ?? true) ? templateWithTools : templateWithoutTools
  const vocabulary = createVocabulary()
  await writeFile(file, encodeGguf(describeModel(vocabulary, template), createTensors(vocabulary)))
}

function createVocabulary(): readonly VocabularyEntry[] {
  const control = (text: string): VocabularyEntry => ({ text, type: tokenControl, score: 0, bias: -4 })
  const entries: VocabularyEntry[] = [
    { text: '<unk>', type: tokenUnknown, score: 0, bias: -4 },
    ...['<s>', '</s>', '<|system|>', '<|user|>', '<|assistant|>', '<|tool|>', '<|result|>', '<|end|>'].map(control),
    control('<|act|>'),
    { ...control('<|invoke|>'), bias: -12 },
  ]
  for (let byte = 0; byte < 256; byte += 1) {
    const text = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`
    entries.push({ text, type: tokenByte, score: 0, bias: -1.5 })
  }
  const characters = [...'abcdefghijklmnopqrstuvwxyz0123456789▁.,:;!?\'-()[]{}"äß€日']
  const words = ['▁the', '▁of', '▁and', '▁to', '▁in', 'th', 'er', 'on', 'an', 're', 'in', 'ed', 'st', 'en', '▁a', '▁t']
  for (const [index, text] of [...characters, ...words].entries()) {
    const closesJson = text === '"' || text === '}'
    entries.push({ text, type: tokenNormal, score: -index, bias: closesJson ? 0.3 : 0 })
  }
  return entries
}

interface Tensor {
  readonly name: string
  /** Row length first, as GGUF wants it. */
  readonly shape: readonly number[]
  readonly values: Float32Array
}

function createTensors(vocabulary: readonly VocabularyEntry[]): readonly Tensor[] {
  const noise = createNoise(weightSeed)
  const embedding = matrix('token_embd.weight', embeddingLength, vocabulary.length, () => noise(1))
  const output = matrix('output.weight', embeddingLength, vocabulary.length, () => noise(0.2))
  for (const [token, entry] of vocabulary.entries()) {
    embedding.values[token * embeddingLength + constantDimension] = constantValue
    output.values[token * embeddingLength + constantDimension] = entry.bias
  }
  scriptSuccessor(vocabulary, { embedding, output }, '<|act|>', '<|invoke|>')
  const tensors = [embedding, vector('output_norm.weight'), output]
  for (let block = 0; block < blockCount; block += 1) tensors.push(...createBlock(block, noise))
  return tensors
}

function createBlock(block: number, noise: (deviation: number) => number): readonly Tensor[] {
  const square = (name: string, deviation: number): Tensor =>
    matrix(`blk.${block}.${name}.weight`, embeddingLength, embeddingLength, () => noise(deviation))
  const attentionOutput = square('attn_output', 0.06)
  const down = matrix(`blk.${block}.ffn_down.weight`, feedForwardLength, embeddingLength, () => noise(0.03))
  // Nothing a block adds may reach the constant dimension.
  attentionOutput.values.fill(0, 0, embeddingLength)
  down.values.fill(0, 0, feedForwardLength)
  return [
    vector(`blk.${block}.attn_norm.weight`),
    square('attn_q', 0.12),
    square('attn_k', 0.12),
    square('attn_v', 0.12),
    attentionOutput,
    vector(`blk.${block}.ffn_norm.weight`),
    matrix(`blk.${block}.ffn_gate.weight`, embeddingLength, feedForwardLength, () => noise(0.12)),
    matrix(`blk.${block}.ffn_up.weight`, embeddingLength, feedForwardLength, () => noise(0.12)),
    down,
  ]
}

/** Points the output row of `after` along the embedding of `before`, so that it wins by far when `before` is last. */
function scriptSuccessor(
  vocabulary: readonly VocabularyEntry[],
  tensors: { readonly embedding: Tensor; readonly output: Tensor },
  before: string,
  after: string,
): void {
  const from = vocabulary.findIndex(entry => entry.text === before) * embeddingLength
  const to = vocabulary.findIndex(entry => entry.text === after) * embeddingLength
  for (let dimension = 1; dimension < embeddingLength; dimension += 1) {
    tensors.output.values[to + dimension] = 1.5 * (tensors.embedding.values[from + dimension] ?? 0)
  }
}

function matrix(name: string, columns: number, rows: number, next: () => number): Tensor {
  return { name, shape: [columns, rows], values: Float32Array.from({ length: columns * rows }, next) }
}

function vector(name: string): Tensor {
  return { name, shape: [embeddingLength], values: new Float32Array(embeddingLength).fill(1) }
}

/** Normally distributed numbers from a 32-bit seed (mulberry32, Box–Muller). */
function createNoise(seed: number): (deviation: number) => number {
  let state = seed
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return deviation => deviation * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** Value types of the GGUF specification, as far as the fixture needs them. */
type MetadataValue =
  | { readonly type: 'uint32' | 'float32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'floats' | 'ints'; readonly value: readonly number[] }

function describeModel(vocabulary: readonly VocabularyEntry[], template: string): ReadonlyMap<string, MetadataValue> {
  const whole = (value: number): MetadataValue => ({ type: 'uint32', value })
  return new Map<string, MetadataValue>([
    ['general.architecture', { type: 'string', value: 'llama' }],
    ['general.name', { type: 'string', value: 'Noise (test fixture)' }],
    ['general.file_type', whole(0)],
    ['llama.context_length', whole(tinyGgufContextTokens)],
    ['llama.embedding_length', whole(embeddingLength)],
    ['llama.block_count', whole(blockCount)],
    ['llama.feed_forward_length', whole(feedForwardLength)],
    ['llama.rope.dimension_count', whole(embeddingLength / headCount)],
    ['llama.attention.head_count', whole(headCount)],
    ['llama.attention.head_count_kv', whole(headCount)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: 1e-5 }],
    ['llama.vocab_size', whole(vocabulary.length)],
    ['tokenizer.ggml.model', { type: 'string', value: 'llama' }],
    ['tokenizer.ggml.tokens', { type: 'strings', value: vocabulary.map(entry => entry.text) }],
    ['tokenizer.ggml.scores', { type: 'floats', value: vocabulary.map(entry => entry.score) }],
    ['tokenizer.ggml.token_type', { type: 'ints', value: vocabulary.map(entry => entry.type) }],
    ['tokenizer.ggml.unknown_token_id', whole(0)],
    ['tokenizer.ggml.bos_token_id', whole(1)],
    ['tokenizer.ggml.eos_token_id', whole(2)],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: true }],
    ['tokenizer.ggml.add_space_prefix', { type: 'bool', value: false }],
    ['tokenizer.chat_template', { type: 'string', value: template }],
  ])
}

/** Lays metadata and tensors out as GGUF version 3, little-endian. */
function encodeGguf(metadata: ReadonlyMap<string, MetadataValue>, tensors: readonly Tensor[]): Buffer {
  const parts: Buffer[] = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(metadata.size)]
  for (const [key, value] of metadata) parts.push(text(key), encodeValue(value))
  let offset = 0
  for (const tensor of tensors) {
    parts.push(text(tensor.name), uint32(tensor.shape.length), ...tensor.shape.map(uint64), uint32(0), uint64(offset))
    offset += padded(tensor.values.byteLength)
  }
  const head = Buffer.concat(parts)
  const body = tensors.map(({ values }) =>
    Buffer.concat([Buffer.from(values.buffer, values.byteOffset, values.byteLength)], padded(values.byteLength)),
  )
  return Buffer.concat([Buffer.concat([head], padded(head.length)), ...body])
}

function encodeValue(entry: MetadataValue): Buffer {
  switch (entry.type) {
    case 'uint32':
      return Buffer.concat([uint32(4), uint32(entry.value)])
    case 'float32':
      return Buffer.concat([uint32(6), float32(entry.value)])
    case 'bool':
      return Buffer.concat([uint32(7), Buffer.from([entry.value ? 1 : 0])])
    case 'string':
      return Buffer.concat([uint32(8), text(entry.value)])
    case 'strings':
      return list(8, entry.value.map(text))
    case 'floats':
      return list(6, entry.value.map(float32))
    case 'ints':
      return list(5, entry.value.map(uint32))
  }
}

function list(elementType: number, elements: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(9), uint32(elementType), uint64(elements.length), ...elements])
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function uint64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

function float32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8')
  return Buffer.concat([uint64(bytes.length), bytes])
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment
}
