"""An editor on the official Python SDK: editor.py TEAMMATE WORKSPACE."""

import asyncio
import os
import sys

import acp
from acp import schema

teammate, work = sys.argv[1:]


class Editor(acp.Client):
    def __init__(self):
        self.updates, self.asked = [], []

    async def session_update(self, session_id, update, **_):
        self.updates.append(update)

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append(tool_call)
        yes = next(option for option in options if option.kind == "allow_once")
        outcome = schema.AllowedOutcome(option_id=yes.option_id, outcome="selected")
        return schema.RequestPermissionResponse(outcome=outcome)

    def text(self, kind):
        pieces = [update.content.text for update in self.updates if update.session_update == kind]
        return "".join(pieces)

    def kinds(self):
        return {update.session_update for update in self.updates}


def start(editor):
    return acp.spawn_agent_process(editor, teammate, "acp", env=dict(os.environ), cwd=work)


async def first():
    editor = Editor()
    async with start(editor) as (agent, process):
        hello = await agent.initialize(protocol_version=1)
        assert hello.agent_capabilities.load_session, hello
        begun = await agent.new_session(cwd=work, mcp_servers=[])
        session = begun.session_id
        assert begun.modes.current_mode_id == "ask", begun

        ended = await agent.prompt(session_id=session, prompt=[acp.text_block("A haiku")])
        assert ended.stop_reason == "end_turn", ended
        assert "ada says: Rain on the roof" in editor.text("agent_message_chunk"), editor.updates
        assert os.path.exists(os.path.join(work, "haiku"))
        assert len(editor.asked) == 1, editor.asked
        expected = {"tool_call", "tool_call_update", "plan", "available_commands_update"}
        assert expected <= editor.kinds(), editor.kinds()

        await agent.set_session_mode(session_id=session, mode_id="run")
        staying = asyncio.create_task(
            agent.prompt(session_id=session, prompt=[acp.text_block("stay")])
        )
        while not os.path.exists(os.path.join(work, "begun")):
            await asyncio.sleep(0.02)
        await agent.cancel(session_id=session)
        assert (await staying).stop_reason == "cancelled"
        try:
            await agent.prompt(session_id="editor-none", prompt=[acp.text_block("x")])
            raise AssertionError("it takes a session that is not there")
        except acp.RequestError as error:
            assert error.code == -32002, error
    return session


async def second(session):
    editor = Editor()
    async with start(editor) as (agent, process):
        await agent.initialize(protocol_version=1)
        listed = await agent.list_sessions(cwd=work)
        assert [one.session_id for one in listed.sessions] == [session], listed
        await agent.load_session(cwd=work, session_id=session, mcp_servers=[])
        assert "A haiku" in editor.text("user_message_chunk"), editor.updates
        ended = await agent.prompt(session_id=session, prompt=[acp.text_block("/team")])
        assert ended.stop_reason == "end_turn", ended
        assert "ada (poet)" in editor.text("agent_message_chunk"), editor.updates


async def story():
    await second(await first())


asyncio.run(asyncio.wait_for(story(), 120))
