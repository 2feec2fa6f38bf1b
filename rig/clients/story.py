"""What every client does with a team whose play is `play.json` beside this file."""

import json

TOOLS = [
    "start_team", "wait_for_team", "read_result", "team_status", "send_mail", "list_tasks", "create_task",
    "update_task", "list_requests", "read_events", "stop_team",
]


async def story(client, name):
    assert await client.names() == TOOLS, await client.names()

    async def call(tool, **arguments):
        is_error, text = await client.call(tool, **arguments)
        assert not is_error, text
        return json.loads(text)

    notes = []

    async def progress(step, total, message):
        notes.append((step, message))

    async def idle():
        while True:
            waited = await call("wait_for_team", progress=progress, timeout_seconds=40)
            if waited["state"] == "idle":
                return waited

    assert (await call("team_status"))["state"] in ("no_team", "idle")
    await call("start_team", job="A haiku")
    done = await idle()
    assert done["result"]["text"] == "ada says: Rain on the roof", done
    await call("send_mail", to="ada", text="again")
    await idle()
    assert (await call("read_result", member="ada"))["text"] == "Snow on the roof"
    events = await call("read_events", limit=3)
    assert events["events"][-1]["event"] == "team_closed", events
    is_error, text = await client.call("start_team", job="")
    assert is_error and "empty" in text, text
    assert "of_tomorrow" in str(await client.unknown())
    assert notes and all(step > 0 and message for step, message in notes), notes
    print(f"{name}: {len(TOOLS)} tools, a job, a wait with {len(notes)} notes, mail, results, events", flush=True)
