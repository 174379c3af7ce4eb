"""What a program can read of an exception of the official client, and of those that LangChain makes of it."""

from openai import APIError, APIStatusError


def describe_error(error: APIError) -> dict:
    response = error.response if isinstance(error, APIStatusError) else None
    return {
        "className": type(error).__name__,
        "status": None if response is None else response.status_code,
        "code": error.code,
        "param": error.param,
        "message": words_of(error),
        "requestId": None if response is None else error.request_id,
        "retryAfter": None if response is None else response.headers.get("retry-after"),
    }


def words_of(error: APIError) -> str:
    """An error that the server wrote as a text, and not as an object, stands in the body alone."""
    return f"{error.message}: {error.body}" if isinstance(error.body, str) else error.message
