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


SIBLINGS = """
import asyncio
async def wait(n):
    try:
        await asyncio.sleep(9)
    except asyncio.CancelledError:
        print('cancelled', n)
        raise
async def fail():
    await asyncio.sleep(1)
    raise ValueError
async def main():
    try:
        async with asyncio.TaskGroup() as group:
            for n in range(6):
                group.create_task(wait(n))
            group.create_task(fail())
    except* ValueError:
        print('failed')
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(n, n)) for n in range(6)], timeout=3.5)
    print([task.result() for task in done], len(pending), len({*done, *pending}))
    for first in asyncio.as_completed([asyncio.sleep(1, n) for n in range(6)]):
        print(await first, end=' ')
    futures = {asyncio.get_running_loop().create_future() for _ in range(6)}
    for n, future in enumerate(futures):
        future.set_result(n)
    print(await asyncio.gather(*futures), sum(hash(future) for future in futures) == sum(map(hash, futures)))
    left = [asyncio.create_task(wait(n)) for n in range(10, 15)]
    await asyncio.sleep(0)
asyncio.run(main())
"""


def test_tasks_in_sets_have_an_order() -> None:
    """Of creation, not of addresses: no two runs would be the same. Nothing else about tasks is different."""
    first = run(SIBLINGS).stdout
    assert first.splitlines()[:7] == [*(f"cancelled {n}" for n in range(6)), "failed"]
    assert first.splitlines()[7] == "[0, 1, 2, 3] 2 6"
    assert first.splitlines()[8].startswith("0 1 2 3 4 5 [")
    assert first.splitlines()[9:] == [f"cancelled {n}" for n in range(10, 15)]
    assert run(SIBLINGS, record=True).stdout == first


def test_tasks_look_like_tasks() -> None:
    """Class, repr, names, identity, eager start and weak references are as ever."""
    source = """
import asyncio, weakref
async def work(): return asyncio.current_task()
async def main():
    task = asyncio.create_task(work(), name='mine')
    print(type(task), isinstance(task, asyncio.Task), isinstance(task, asyncio.Future), task.get_name())
    print(await task is task, task == task, task != asyncio.current_task(), weakref.ref(task)() is task)
    print(repr(task).partition(' coro=')[0], repr(asyncio.get_running_loop().create_future()))
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    eager = asyncio.create_task(work())
    print(eager.done(), asyncio.Task[int])
asyncio.run(main())
"""
    assert run(source).stdout == (
        "<class '_asyncio.Task'> True True mine\nTrue True True True\n<Task finished name='mine' <Future pending>\n"
        "True _asyncio.Task[int]\n"
    )


def test_timers_of_one_moment_run_in_order() -> None:
    """In that of their creation, as on a real clock, which moves between two calls."""
    source = """
import asyncio
async def work(n):
    await asyncio.sleep(1)
    print(n, end=' ')
async def main():
    await asyncio.gather(*(work(n) for n in range(9)))
    loop = asyncio.get_running_loop()
    handles = [loop.call_later(0.5, lambda n=n: print(n, end=' ')) for n in range(9)]
    handles[3].cancel()
    first, last = loop.call_at(loop.time() + 0.25, print), handles[-1]
    print(first < last, last < first, first == first, hash(first) == hash(first.when()))
    await asyncio.sleep(1)
asyncio.run(main())
"""
    assert run(source).stdout == "0 1 2 3 4 5 6 7 8 True False True True\n\n0 1 2 4 5 6 7 8 "
