"""The official client for Python, used as its own documentation does."""

import asyncio
import json
import time

from failure import describe_error as describe_error
from openai import APIError, AsyncOpenAI, OpenAI
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel

errors = (APIError,)


class City(BaseModel):
    name: str
    population: int


def options_of(access: dict, question: dict) -> dict:
    options = {"base_url": access["baseUrl"], "api_key": access["key"]}
    return options if question.get("retries") is None else {**options, "max_retries": question["retries"]}


def connect(access: dict, question: dict) -> OpenAI:
    return OpenAI(**options_of(access, question))


def body_of(question: dict) -> dict:
    return {"model": question["model"], "messages": [{"role": "user", "content": question["prompt"]}]}


def chat(access: dict, question: dict, _: dict) -> dict:
    return read_completion(connect(access, question).chat.completions.create(**body_of(question)))


def chat_with_unknown_parameter(access: dict, question: dict, scenes: dict) -> dict:
    completion = connect(access, question).chat.completions.create(
        **body_of(question), temperature=scenes["temperature"], extra_body=scenes["unknownParameter"]
    )
    return read_completion(completion)


def chat_with_settings(access: dict, question: dict, _: dict) -> dict:
    """Settings of one provider stand in `extra_body`; what the answer says of them, its types do not know."""
    completion = connect(access, question).chat.completions.create(
        **body_of(question),
        extra_body={"venice_parameters": {"enable_web_search": "auto", "include_venice_system_prompt": False}},
    )
    return {"text": completion.choices[0].message.content, "settings": completion.venice_parameters, "cost": completion.cost}


def stream(access: dict, question: dict, _: dict) -> dict:
    chunks: list[ChatCompletionChunk] = []
    pieces: list[dict] = []
    read_stream(access, question, chunks=chunks, pieces=pieces)
    choices = [choice for chunk in chunks for choice in chunk.choices]
    return {
        "id": chunks[0].id,
        "model": chunks[0].model,
        "text": "".join(choice.delta.content or "" for choice in choices),
        "finishReason": next(choice.finish_reason for choice in choices if choice.finish_reason),
        "pieces": pieces,
        **read_usage(chunks[-1].usage),
    }


def leave_stream(access: dict, question: dict, _: dict) -> dict:
    pieces: list[dict] = []
    read_stream(access, question, chunks=[], pieces=pieces)
    return {"pieces": pieces}


def read_broken_stream(access: dict, question: dict, _: dict) -> dict:
    pieces: list[dict] = []
    try:
        read_stream(access, question, chunks=[], pieces=pieces)
    except APIError as error:
        return {"pieces": pieces, "failure": describe_error(error)}
    return {"pieces": pieces, "failure": None}


def read_stream(access: dict, question: dict, *, chunks: list, pieces: list) -> None:
    """Leaves the loop after `afterPieces`; the `with` closes the connection."""
    started = time.monotonic()
    with connect(access, question).chat.completions.create(**body_of(question), stream=True) as received:
        for chunk in received:
            chunks.append(chunk)
            text = chunk.choices[0].delta.content if chunk.choices else None
            if text:
                pieces.append({"text": text, "at": (time.monotonic() - started) * 1000})
            if len(pieces) == question.get("afterPieces"):
                break


def stop_waiting(access: dict, question: dict, _: dict) -> dict:
    client = connect(access, question).with_options(timeout=question["afterMs"] / 1000)
    return read_completion(client.chat.completions.create(**body_of(question)))


def use_tools(access: dict, question: dict, scenes: dict) -> dict:
    completions = connect(access, question).chat.completions
    return run_tools(question, scenes, lambda body: completions.create(**body))


def use_tools_in_stream(access: dict, question: dict, scenes: dict) -> dict:
    completions = connect(access, question).chat.completions

    def complete(body: dict) -> ChatCompletion:
        with completions.stream(**body) as received:
            return received.get_final_completion()

    return run_tools(question, scenes, complete)


def run_tools(question: dict, scenes: dict, complete) -> dict:
    """Calls of tools are run until the model answers in words."""
    body = body_of(question)
    tools = [{"type": "function", "function": {**scenes["weatherTool"], "strict": True}}]
    uses = []
    for _ in range(scenes["toolRoundsMax"]):
        message = complete({**body, "tools": tools}).choices[0].message
        body["messages"].append(message)
        if not message.tool_calls:
            return {"text": message.content, "uses": uses}
        for call in message.tool_calls:
            given = json.loads(call.function.arguments)
            uses.append({"name": call.function.name, "input": given})
            result = scenes["weather"].replace("{city}", given["city"])
            body["messages"].append({"role": "tool", "tool_call_id": call.id, "content": result})
    raise RuntimeError("the model still calls tools")


def structure(access: dict, question: dict, _: dict) -> dict:
    completion = connect(access, question).chat.completions.parse(**body_of(question), response_format=City)
    return completion.choices[0].message.parsed.model_dump()


def read_models(access: dict, question: dict, _: dict) -> dict:
    models = connect(access, question).models
    return {"listed": [model.id for model in models.list()], "read": models.retrieve(question["model"]).id}


def leave_asynchronously(access: dict, question: dict, _: dict) -> dict:
    """Cancels the task that reads a stream, as servers do when their own caller leaves."""
    return asyncio.run(cancel_reader(access, question))


async def cancel_reader(access: dict, question: dict) -> dict:
    client = AsyncOpenAI(**options_of(access, question))
    pieces: list[dict] = []
    enough = asyncio.Event()

    async def read() -> None:
        async for chunk in await client.chat.completions.create(**body_of(question), stream=True):
            if chunk.choices and chunk.choices[0].delta.content:
                pieces.append({"text": chunk.choices[0].delta.content, "at": 0})
            if len(pieces) == question["afterPieces"]:
                enough.set()

    reader = asyncio.create_task(read())
    await enough.wait()
    reader.cancel()
    await asyncio.wait([reader])
    return {"pieces": pieces}


def read_completion(completion: ChatCompletion) -> dict:
    choice = completion.choices[0]
    return {
        "id": completion.id,
        "model": completion.model,
        "text": choice.message.content,
        "finishReason": choice.finish_reason,
        **read_usage(completion.usage),
    }


def read_usage(usage: CompletionUsage) -> dict:
    counts = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens, "total": usage.total_tokens}
    return {"usage": counts, "cost": getattr(usage, "cost", None)}
