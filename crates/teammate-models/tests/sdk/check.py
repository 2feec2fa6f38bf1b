#!/usr/bin/env python3
"""Checks both wires against the vendors' own SDKs.

1. The requests that our adapters send are validated against the SDKs' types, strictly: unknown fields are refused.
2. The streams of our test server are read by the SDKs' clients.

Both SDKs are installed into target/sdk-venv. Without a network this is skipped, which is said and is no failure.
Usage: check.py [--require]   (--require: what would be skipped fails)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
VENV = ROOT / "target" / "sdk-venv"
PYTHON = VENV / "bin" / "python"
PACKAGES = ["anthropic", "openai", "pydantic"]


def main():
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        return in_venv()
    with tempfile.TemporaryDirectory() as directory:
        cargo("record", directory)
        for path in sorted(pathlib.Path(directory).glob("*.json")):
            check_request(path)
    with Server(HERE.parent / "plays" / "look.json") as url:
        check_anthropic_stream(url)
        check_openai_stream(url)
    print("both wires are as the SDKs have them")


def in_venv():
    """Runs this again where the SDKs are."""
    if not (VENV / "ready").exists():
        venv.create(VENV, with_pip=True)
        command = [PYTHON, "-m", "pip", "install", "--quiet", *PACKAGES]
        if subprocess.run(command).returncode != 0:
            print("skipped: the SDKs cannot be installed", flush=True)
            sys.exit(1 if "--require" in sys.argv else 0)
        (VENV / "ready").touch()
    sys.exit(subprocess.run([PYTHON, __file__, *sys.argv[1:]]).returncode)


def example(name, *arguments):
    """How an example is run; where `cargo xtask test` has built it, that is not done again with other features."""
    if "TEAMMATE_EXAMPLES" in os.environ:
        return [os.path.join(os.environ["TEAMMATE_EXAMPLES"], name), *arguments]
    return ["cargo", "run", "--quiet", "-p", "teammate-testkit", "--example", name, "--", *arguments]


def cargo(name, *arguments):
    subprocess.run(example(name, *arguments), cwd=ROOT, check=True)


class Server:
    """Our test server, playing a play."""

    def __init__(self, play):
        self.command = example("serve", str(play))

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self.process.stdout.readline().strip()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def strictly(kind, value):
    """Validates a value against a typed dictionary whose every level refuses unknown fields."""
    import pydantic

    pydantic.TypeAdapter(strict(kind)).validate_python(value)


def strict(kind):
    """A type like this one whose dictionaries are closed, and whose iterables are lists: pydantic looks into an
    iterable only when somebody reads it."""
    import collections.abc
    import typing

    import pydantic
    import typing_extensions

    if typing_extensions.is_typeddict(kind):
        if kind not in CLOSED:
            CLOSED.add(kind)
            hints = typing_extensions.get_type_hints(kind, include_extras=True)
            kind.__annotations__ = {name: strict(hint) for name, hint in hints.items()}
            kind.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        return kind
    origin = typing_extensions.get_origin(kind)
    arguments = typing_extensions.get_args(kind)
    if origin is None or origin is typing_extensions.Literal:
        return kind
    if origin is typing_extensions.Annotated:
        return typing_extensions.Annotated[(strict(arguments[0]), *arguments[1:])]
    inner = tuple(strict(argument) for argument in arguments)
    if origin is collections.abc.Iterable:
        return typing.List[inner]
    if origin in (typing_extensions.Required, typing_extensions.NotRequired):
        return origin[inner[0]]
    if origin is typing.Union:
        return typing.Union[inner]
    return kind


CLOSED = set()


def check_request(path):
    from anthropic.types.message_create_params import MessageCreateParamsStreaming
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    body = json.loads(path.read_text())
    extra = []
    if path.name.startswith("anthropic"):
        kind = MessageCreateParamsStreaming
    else:
        kind = CompletionCreateParamsStreaming
        # Other servers' own field: given back only to those that sent it, so never to OpenAI.
        for message in body["messages"]:
            extra += [message.pop("reasoning_content", None)]
    strictly(kind, body)
    for message in body["messages"]:
        check_message(path.name, message)
    must_fail(kind, body)
    given_back = sum(text is not None for text in extra)
    note = f" ({given_back} reasoning_content left out)" if given_back else ""
    print(f"{path.name}: {len(body['messages'])} messages are as the SDK's types have them{note}")


def check_message(name, message):
    """Errors in one member of a union can hide in another: each message is also held to the type of its role."""
    from anthropic.types import MessageParam
    from openai.types import chat

    kinds = {
        "system": chat.ChatCompletionSystemMessageParam,
        "user": chat.ChatCompletionUserMessageParam,
        "assistant": chat.ChatCompletionAssistantMessageParam,
        "tool": chat.ChatCompletionToolMessageParam,
    }
    strictly(MessageParam if name.startswith("anthropic") else kinds[message["role"]], message)


def must_fail(kind, body):
    """The check bites: the same request with one more field, or a broken one, is refused."""
    import pydantic

    wrong_message = {**body["messages"][0], "x_unknown": 1}
    for wrong in [
        {**body, "x_unknown": 1},
        {**body, "max_tokens": "many"},
        {**body, "messages": [wrong_message, *body["messages"][1:]]},
    ]:
        try:
            strictly(kind, wrong)
        except pydantic.ValidationError:
            continue
        raise AssertionError("a wrong request was taken for a good one")


TOOL = {"type": "object", "properties": {"place": {"type": "string"}}}
SAID = "Let me look at two places."
LAST = "It is sunny – so we go out. 🦀"
INPUTS = [{"place": "here", "n": 1.5}, {"place": "there"}]


def check_anthropic_stream(url):
    import anthropic

    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)

    def ask(messages):
        with client.messages.stream(
            model="claude",
            max_tokens=100,
            system=[{"type": "text", "text": "You are 'lead'."}],
            tools=[{"name": "look", "description": "Looks.", "input_schema": TOOL}],
            messages=messages,
        ) as stream:
            events = [event.type for event in stream]
            return stream.get_final_message(), events

    hello = [{"role": "user", "content": [{"type": "text", "text": "How is the weather?"}]}]
    message, events = ask(hello)
    text, *calls = message.content
    assert text.text == SAID, text
    assert [call.input for call in calls] == INPUTS, calls
    assert message.stop_reason == "tool_use" and message.usage.output_tokens > 1, message
    assert events[0] == "message_start" and events[-1] == "message_stop", events
    results = [
        {"type": "tool_result", "tool_use_id": call.id, "content": [{"type": "text", "text": "sunny"}]}
        for call in calls
    ]
    said = [block.model_dump(include={"type", "text", "id", "name", "input"}) for block in message.content]
    message, _ = ask([*hello, {"role": "assistant", "content": said}, {"role": "user", "content": results}])
    assert message.content[0].text == LAST and message.stop_reason == "end_turn", message
    try:
        ask([{"role": "user", "content": [{"type": "text", "text": "fail"}]}])
    except anthropic.BadRequestError as error:
        assert "too busy" in str(error), error
    else:
        raise AssertionError("the failure was not seen")
    print(f"anthropic {anthropic.__version__} reads our streams")


def check_openai_stream(url):
    import openai

    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)

    def ask(messages):
        with client.chat.completions.stream(
            model="gpt",
            max_tokens=100,
            stream_options={"include_usage": True},
            tools=[{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": TOOL}}],
            messages=[{"role": "system", "content": "You are 'lead'."}, *messages],
        ) as stream:
            for _ in stream:
                pass
            return stream.get_final_completion()

    hello = [{"role": "user", "content": "How is the weather?"}]
    answer = ask(hello)
    choice = answer.choices[0]
    assert choice.message.content == SAID, choice
    calls = choice.message.tool_calls
    assert [json.loads(call.function.arguments) for call in calls] == INPUTS, calls
    assert choice.finish_reason == "tool_calls" and answer.usage.completion_tokens > 1, answer
    said = {
        "role": "assistant",
        "content": choice.message.content,
        "tool_calls": [
            {"id": call.id, "type": "function",
             "function": {"name": call.function.name, "arguments": call.function.arguments}}
            for call in calls
        ],
    }
    results = [{"role": "tool", "tool_call_id": call.id, "content": "sunny"} for call in calls]
    choice = ask([*hello, said, *results]).choices[0]
    assert choice.message.content == LAST and choice.finish_reason == "stop", choice
    try:
        ask([{"role": "user", "content": "fail"}])
    except openai.BadRequestError as error:
        assert "too busy" in str(error), error
    else:
        raise AssertionError("the failure was not seen")
    print(f"openai {openai.__version__} reads our streams")


if __name__ == "__main__":
    main()
