"""LangChain for Python, over its integration for OpenAI."""

import time

from failure import describe_error as describe_error
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from openai import APIError
from pydantic import BaseModel

errors = (APIError,)


class City(BaseModel):
    name: str
    population: int


def connect(access: dict, question: dict, **further) -> ChatOpenAI:
    retries = {} if question.get("retries") is None else {"max_retries": question["retries"]}
    return ChatOpenAI(
        model=question["model"], base_url=access["baseUrl"], api_key=access["key"], **retries, **further
    )


def chat(access: dict, question: dict, _: dict) -> dict:
    return read_message(connect(access, question).invoke(question["prompt"]))


def chat_with_unknown_parameter(access: dict, question: dict, scenes: dict) -> dict:
    further = {"temperature": scenes["temperature"], "extra_body": scenes["unknownParameter"]}
    return read_message(connect(access, question, **further).invoke(question["prompt"]))


def stream(access: dict, question: dict, _: dict) -> dict:
    chunks: list[AIMessage] = []
    pieces: list[dict] = []
    read_stream(access, question, chunks=chunks, pieces=pieces)
    return {**read_message(join(chunks)), "pieces": pieces}


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
    """Leaves the loop after `afterPieces`; that alone closes the connection."""
    started = time.monotonic()
    for chunk in connect(access, question).stream(question["prompt"]):
        chunks.append(chunk)
        if chunk.text:
            pieces.append({"text": chunk.text, "at": (time.monotonic() - started) * 1000})
        if len(pieces) == question.get("afterPieces"):
            break


def stop_waiting(access: dict, question: dict, _: dict) -> dict:
    model = connect(access, question, timeout=question["afterMs"] / 1000)
    return read_message(model.invoke(question["prompt"]))


def use_tools(access: dict, question: dict, scenes: dict) -> dict:
    return run_tools(access, question, scenes, lambda model, messages: model.invoke(messages))


def use_tools_in_stream(access: dict, question: dict, scenes: dict) -> dict:
    return run_tools(access, question, scenes, lambda model, messages: join(model.stream(messages)))


def run_tools(access: dict, question: dict, scenes: dict, ask) -> dict:
    """A loop of the program's own: agents are another package."""
    uses = []
    described = scenes["weatherTool"]

    def get_weather(city: str) -> str:
        uses.append({"name": described["name"], "input": {"city": city}})
        return scenes["weather"].replace("{city}", city)

    weather = StructuredTool.from_function(
        get_weather, description=described["description"], args_schema=described["parameters"]
    )
    model = connect(access, question).bind_tools([weather])
    messages = [HumanMessage(question["prompt"])]
    for _ in range(scenes["toolRoundsMax"]):
        message = ask(model, messages)
        messages.append(message)
        if not message.tool_calls:
            return {"text": message.text, "uses": uses}
        for call in message.tool_calls:
            messages.append(ToolMessage(weather.invoke(call["args"]), tool_call_id=call["id"]))
    raise RuntimeError("the model still calls tools")


def structure(access: dict, question: dict, _: dict) -> dict:
    model = connect(access, question).with_structured_output(City, method="json_schema", strict=True)
    return model.invoke(question["prompt"]).model_dump()


def join(chunks) -> AIMessage:
    joined = None
    for chunk in chunks:
        joined = chunk if joined is None else joined + chunk
    return joined


def read_message(message: AIMessage) -> dict:
    metadata, usage = message.response_metadata, message.usage_metadata
    return {
        # Streams have neither id nor cost: of them only the counts are handed on.
        "id": metadata.get("id"),
        "model": metadata["model_name"],
        "text": message.text,
        "finishReason": metadata["finish_reason"],
        "usage": {
            "prompt": usage["input_tokens"],
            "completion": usage["output_tokens"],
            "total": usage["total_tokens"],
        },
        "cost": metadata.get("token_usage", {}).get("cost"),
    }
