/** What replaces the engine's own names in every piece of an answer: our id, and the model's public id. */
export interface AnswerNames {
  /** JSON strings, quotes included, ready to be spliced. */
  readonly idJson: Buffer
  readonly modelJson: Buffer
  readonly completionId: string
  readonly modelId: string
}

export function answerNames(completionId: string, modelId: string): AnswerNames {
  return {
    completionId,
    modelId,
    idJson: Buffer.from(JSON.stringify(completionId)),
    modelJson: Buffer.from(JSON.stringify(modelId)),
  }
}
