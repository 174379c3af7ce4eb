"""What a program can read of an exception of the official client, and of those that LangChain makes of it."""

from openai import APIError, APIStatusError


def describe_error(error: APIError) -> dict:
    response = error.response if isinstance(error, APIStatusError) else None
    return {
        "className": type(error).__name__,
        "status": None if response is None else response.status_code,
        "code": error.code,
        "param": error.param,
        "message": error.message,
        "requestId": None if response is None else error.request_id,
        "retryAfter": None if response is None else response.headers.get("retry-after"),
    }
