"""Work of requests in threads, in which games of one's own may do anything: what they raise is told as their fault."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from gpkit.core import plugins
from gpkit.core.errors import GpkitError, GuestError, one_line
from gpkit.core.timeouts import watched
from gpkit.user_games.contract.explain import explained

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def guarded(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The work, which raises nothing that would end the server, and does not wait for ever for a game."""

    @wraps(work)
    def safe(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            with watched(plugins.PATIENCE, plugins.is_named):
                return work(*args, **kwargs)
        except (GpkitError, HTTPException):
            raise
        except BaseException as fault:  # nobody interrupts a thread: this is none of the person's
            told = plugins.blamed(fault) or explained(fault)
            if told is None and isinstance(fault, Exception):
                raise
            raise told or GuestError(one_line(fault)) from fault

    return safe


async def in_thread(
    work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """The result of guarded work in a thread."""
    return await run_in_threadpool(partial(guarded(work), *args, **kwargs))


def guarded_route(route: Route) -> Route:
    """The route with its work guarded; one that works in the loop of the server guards what it leaves to threads."""
    if iscoroutinefunction(route.endpoint):
        return route
    return Route(route.path, guarded(route.endpoint), methods=list(route.methods or ()))
