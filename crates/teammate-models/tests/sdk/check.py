#!/usr/bin/env python3
"""Checks all wires against the vendors' own SDKs.

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
TYPESCRIPT = ROOT / "target" / "sdk-typescript"
# What the TypeScript check exits with where its packages cannot be installed.
SKIPPED = 77


def main():
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        return in_venv()
    with tempfile.TemporaryDirectory() as directory:
        cargo("record", directory)
        for path in sorted(pathlib.Path(directory).glob("*.json")):
            check_request(path)
        check_typescript(directory)
    with Server(HERE.parent / "plays" / "look.json") as url:
        check_anthropic_stream(url)
        check_openai_stream(url)
        check_responses_stream(url)
    print("all wires are as the SDKs have them")


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


def check_typescript(directory):
    """The same requests against the types of the SDKs for TypeScript."""
    script = HERE / "typescript" / "check.mjs"
    try:
        done = subprocess.run(["node", script, directory, TYPESCRIPT]).returncode
    except FileNotFoundError:
        done = SKIPPED
        print("skipped: there is no node", flush=True)
    if done == SKIPPED and "--require" not in sys.argv:
        return
    if done != 0:
        sys.exit("the TypeScript SDKs' types do not have these requests")


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
    body = json.loads(path.read_text())
    kind_of_wire = path.name.split("-")[0]
    if kind_of_wire == "vendor":
        # Fields that other vendors have added to chat completions: no SDK of these two has them.
        return
    kind, messages, extra = request_type(kind_of_wire, body)
    strictly(kind, body)
    for message in body[messages]:
        check_message(kind_of_wire, message)
    must_fail(kind, body, messages)
    note = f" ({extra} reasoning_content left out)" if extra else ""
    print(f"{path.name}: {len(body[messages])} messages are as the SDK's types have them{note}")


def request_type(wire, body):
    """The type of a request, the field with its messages, and how many fields of other servers were left out."""
    from anthropic.types.beta.message_create_params import MessageCreateParamsStreaming as AnthropicBeta
    from anthropic.types.message_create_params import MessageCreateParamsStreaming as Anthropic
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming as Chat
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming as Responses

    if wire == "anthropic":
        is_beta = "block_binding" in body.get("thinking", {})
        return (AnthropicBeta if is_beta else Anthropic), "messages", 0
    if wire == "responses":
        return Responses, "input", 0
    extra = 0
    # Other servers' own fields: given back only to those that sent them, or sent only there, so never to OpenAI.
    for message in body["messages"]:
        extra += message.pop("reasoning_content", None) is not None
    body.pop("user", None)
    return Chat, "messages", extra


def check_message(wire, message):
    """Errors in one member of a union can hide in another: each message is also held to the type of its role."""
    from anthropic.types import MessageParam
    from openai.types import chat, responses

    if wire == "responses":
        kinds = {
            None: responses.EasyInputMessageParam,
            "reasoning": responses.ResponseReasoningItemParam,
            "function_call": responses.ResponseFunctionToolCallParam,
            "function_call_output": responses.response_input_item_param.FunctionCallOutput,
        }
        return strictly(kinds[message.get("type")], message)
    kinds = {
        "system": chat.ChatCompletionSystemMessageParam,
        "user": chat.ChatCompletionUserMessageParam,
        "assistant": chat.ChatCompletionAssistantMessageParam,
        "tool": chat.ChatCompletionToolMessageParam,
    }
    strictly(MessageParam if wire == "anthropic" else kinds[message["role"]], message)


def must_fail(kind, body, messages):
    """The check bites: the same request with one more field, or a broken one, is refused."""
    import pydantic

    wrong_message = {**body[messages][0], "x_unknown": 1}
    limit = next(name for name in body if name.startswith("max_"))
    for wrong in [
        {**body, "x_unknown": 1},
        {**body, limit: "many"},
        {**body, messages: [wrong_message, *body[messages][1:]]},
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


def check_responses_stream(url):
    import openai

    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)

    def ask(items):
        with client.responses.stream(
            model="gpt",
            max_output_tokens=100,
            store=False,
            include=["reasoning.encrypted_content"],
            tools=[{"type": "function", "name": "look", "description": "Looks.", "parameters": TOOL, "strict": False}],
            input=[{"role": "developer", "content": "You are 'lead'."}, *items],
        ) as stream:
            events = [event.type for event in stream]
            return stream.get_final_response(), events

    hello = [{"role": "user", "content": "How is the weather?"}]
    response, events = ask(hello)
    assert response.output_text == SAID, response
    calls = [item for item in response.output if item.type == "function_call"]
    assert [json.loads(call.arguments) for call in calls] == INPUTS, calls
    assert response.status == "completed" and response.usage.output_tokens > 1, response
    assert events[0] == "response.created" and events[-1] == "response.completed", events
    said = [{"role": "assistant", "content": response.output_text}]
    said += [
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
        for call in calls
    ]
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": "sunny"} for call in calls]
    response, _ = ask([*hello, *said, *results])
    assert response.output_text == LAST and response.status == "completed", response
    try:
        ask([{"role": "user", "content": "fail"}])
    except openai.BadRequestError as error:
        assert "too busy" in str(error), error
    else:
        raise AssertionError("the failure was not seen")
    print(f"openai {openai.__version__} reads our responses")


if __name__ == "__main__":
    main()
