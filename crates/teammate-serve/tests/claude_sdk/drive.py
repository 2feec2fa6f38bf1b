"""The story, with the SDK for Python. Its argument is the program to start."""

import asyncio
import pathlib
import sys

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    SystemMessage,
    ToolUseBlock,
    create_sdk_mcp_server,
    query,
    tool,
)


def options(**more):
    return ClaudeAgentOptions(cli_path=sys.argv[1], **more)


async def said(prompt, **more):
    """All messages for a prompt."""
    return [message async for message in query(prompt=prompt, options=options(**more))]


def result(messages):
    last = messages[-1]
    assert isinstance(last, ResultMessage), last
    return last


async def main():
    made = pathlib.Path("made")

    # A question, and a session that goes on.
    first = await said("hello")
    assert isinstance(first[0], SystemMessage) and first[0].subtype == "init", first[0]
    assert result(first).result == "Hello.", result(first)
    assert result(first).num_turns == 1 and result(first).usage["output_tokens"] > 0
    more = await said("and again", resume=result(first).session_id)
    assert result(more).session_id == result(first).session_id

    # A copy of it, which is a session of its own; what else there is to be passed goes with it.
    more = {"add_dirs": ["."], "strict_mcp_config": True, "sandbox": {"enabled": True, "network": {"allowLocalBinding": False}}}
    copied = await said("hello", resume=result(first).session_id, fork_session=True, **more)
    assert result(copied).session_id != result(first).session_id
    assert result(copied).result == "Hello.", result(copied)

    # Nobody decides; a callback says no; it says yes.
    denied = result(await said("make it")).permission_denials
    assert [one["tool_name"] for one in denied] == ["Bash"], denied
    asked = []

    async def decides(name, given, context):
        asked.append((name, given))
        if len(asked) == 1:
            return PermissionResultDeny(message="not now")
        return PermissionResultAllow()

    for exists in (False, True):
        async with ClaudeSDKClient(options(can_use_tool=decides)) as client:
            await client.query("make it")
            messages = [message async for message in client.receive_response()]
            assert result(messages).subtype == "success"
            calls = [block for message in messages if isinstance(message, AssistantMessage) for block in message.content]
            assert any(isinstance(block, ToolUseBlock) and block.name == "Bash" for block in calls), messages
        assert made.exists() == exists
    assert asked == [("Bash", {"command": "touch made"})] * 2, asked

    # A tool of this process.
    @tool("add", "Adds two numbers", {"a": float, "b": float})
    async def add(given):
        return {"content": [{"type": "text", "text": f"The sum is {given['a'] + given['b']:g}"}]}

    servers = {"calc": create_sdk_mcp_server(name="calc", tools=[add])}
    sums = await said("add", mcp_servers=servers, allowed_tools=["mcp__calc__add"])
    assert result(sums).result == "It is three.", sums

    # A hook that refuses.
    made.unlink()
    heard = []

    async def refuses(given, call, context):
        heard.append(given["tool_input"])
        specific = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not here"}
        return {"hookSpecificOutput": specific}

    hooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[refuses])]}
    async with ClaudeSDKClient(options(hooks=hooks, permission_mode="bypassPermissions")) as client:
        await client.query("make it")
        assert result([message async for message in client.receive_response()]).subtype == "success"
    assert heard == [{"command": "touch made"}] and not made.exists(), heard

    # An interrupt, and what is said after it.
    async with ClaudeSDKClient(options(permission_mode="bypassPermissions")) as client:
        await client.query("stay")
        while not pathlib.Path("begun").exists():
            await asyncio.sleep(0.05)
        await client.interrupt()
        stopped = result([message async for message in client.receive_response()])
        assert stopped.subtype == "error_during_execution", stopped
        await client.set_permission_mode("default")
        await client.query("hello")
        assert result([message async for message in client.receive_response()]).result == "Hello."

    # What is not done here is said by the exception.
    try:
        await said("hello", task_budget={"total": 1000})
    except Exception as error:
        assert "--task-budget is not done here" in str(error), error
    else:
        raise AssertionError("a budget of tokens was taken")


asyncio.run(main())
print("the agent SDK for Python works with a team")
