/** The programs whose quirks are known; `generic` is any other server with an OpenAI-compatible API. */
export type EnginePreset = 'generic' | 'vllm' | 'sglang' | 'llamacpp' | 'ollama' | 'lmstudio' | 'openai'

/**
 * Body keys that never reach a program, because they would escape the output limit or steer the server instead of the
 * answer (venym.md §2.4). What only shapes the text (samplers, stop tokens, grammars, template switches) passes.
 */
const deniedByPreset: Readonly<Record<EnginePreset, readonly string[]>> = {
  generic: [],
  vllm: [
    // More output than the limit, or output that is not counted as such.
    'ignore_eos',
    'min_tokens',
    'prompt_logprobs',
    'echo',
    // The template is the operator's.
    'chat_template',
    // Scheduling, caches and other callers' work.
    'priority',
    'cache_salt',
    'request_id',
    'kv_transfer_params',
    'data_parallel_rank',
    // Code and settings of the server.
    'logits_processors',
    'mm_processor_kwargs',
    'vllm_xargs',
  ],
  sglang: [
    'ignore_eos',
    'min_tokens',
    'max_new_tokens',
    'chat_template',
    'priority',
    'cache_salt',
    'extra_key',
    'rid',
    'session_params',
    'lora_path',
    'bootstrap_host',
    'bootstrap_port',
    'bootstrap_room',
    'data_parallel_rank',
    // Unpickled and run by the server.
    'custom_logit_processor',
    'custom_params',
    'return_hidden_states',
    'return_routed_experts',
  ],
  llamacpp: [
    'n_predict',
    'n_cmpl',
    'ignore_eos',
    'n_keep',
    'n_discard',
    'n_indent',
    't_max_predict_ms',
    't_max_prompt_ms',
    'chat_template',
    'id_slot',
    'cache_prompt',
    'n_cache_reuse',
    'lora',
    'speculative.n_max',
    'speculative.n_min',
    'speculative.p_min',
    'speculative.type',
    'return_tokens',
    'return_progress',
    'timings_per_token',
    'response_fields',
  ],
  ollama: ['options', 'num_predict', 'num_ctx', 'keep_alive', 'template', 'system', 'raw', 'context'],
  lmstudio: ['ttl', 'draft_model', 'context_length', 'integrations', 'load_config'],
  openai: [
    // Other prices than the model's own.
    'service_tier',
    'web_search_options',
    // What the provider keeps under the operator's name.
    'store',
    'metadata',
    'background',
    // Routers that speak the same language: other models, other providers, paid add-ons.
    'models',
    'route',
    'provider',
    'plugins',
    'transforms',
    'fallbacks',
  ],
}

/** The documented list of a preset, as a set that is made once. */
export const presetDeniedKeys: Readonly<Record<EnginePreset, ReadonlySet<string>>> = {
  generic: new Set(deniedByPreset.generic),
  vllm: new Set(deniedByPreset.vllm),
  sglang: new Set(deniedByPreset.sglang),
  llamacpp: new Set(deniedByPreset.llamacpp),
  ollama: new Set(deniedByPreset.ollama),
  lmstudio: new Set(deniedByPreset.lmstudio),
  openai: new Set(deniedByPreset.openai),
}

/** Programs that give one choice, whatever `n` says: each further one is a call of its own. */
export const presetsOfOneChoice: ReadonlySet<EnginePreset> = new Set(['llamacpp', 'ollama', 'lmstudio'])
