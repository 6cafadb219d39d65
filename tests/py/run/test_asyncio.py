"""asyncio runs on the simulated clock, without selector, threads and sockets."""

from __future__ import annotations

from running import run


def test_tasks_run_in_the_order_of_their_timers() -> None:
    """And an hour takes no time."""
    source = """
import asyncio, time
async def work(name, seconds):
    await asyncio.sleep(seconds)
    print(name, round(time.monotonic() - 1))
    return name
async def main():
    print(await asyncio.gather(work('a', 3600), work('b', 1)))
    async with asyncio.TaskGroup() as group:
        group.create_task(work('c', 2))
        group.create_task(work('d', 1))
    try:
        async with asyncio.timeout(5):
            await asyncio.sleep(100)
    except TimeoutError:
        print('late', round(time.monotonic() - 1))
asyncio.run(main())
"""
    found = run(source)
    assert found.stdout == "b 1\na 3600\n['a', 'b']\nd 3601\nc 3602\nlate 3607\n"
    assert found.end["wall"] < 20


def test_async_generators_are_closed_at_the_end() -> None:
    """Also one that was left in the middle."""
    source = """
import asyncio
async def numbers():
    try:
        for n in range(3):
            yield n
    finally:
        print('closed')
async def main():
    async for n in numbers():
        print(n)
        break
asyncio.run(main())
"""
    assert run(source).stdout == "0\nclosed\n"


def test_waiting_for_ever_is_an_error() -> None:
    """A loop that nothing can wake says so."""
    source = "import asyncio\nasync def main(): await asyncio.get_running_loop().create_future()\nasyncio.run(main())"
    found = run(source)
    assert found.status == "exception"
    assert found.stderr.splitlines()[-1].startswith("RuntimeError: the event loop waits for ever")


def test_a_runner_and_a_loop_of_one_s_own() -> None:
    """Every way to a loop leads to the same."""
    source = """
import asyncio
async def one():
    await asyncio.sleep(1)
    return round(asyncio.get_running_loop().time(), 3)
with asyncio.Runner() as runner:
    print(runner.run(one()), runner.run(one()))
loop = asyncio.new_event_loop()
print(loop.run_until_complete(one()))
loop.close()
"""
    assert run(source).stdout == "2.0 3.0\n4.0\n"
