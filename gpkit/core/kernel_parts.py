"""Compilation of parts of kernels: as far as the code that is put into their callers, and no further.

numba optimises every function by itself, with all that it calls, and makes machine code of it. A part is never called
by itself, and is optimised again wherever it has been put, so both would be for nothing: half the time of compiling.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):
    """Code of one part and of what it calls, to be linked into callers; it is never made machine code."""

    def finalize(self) -> None:
        """Take in what is called. Callers optimise it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Address of a function, where 0 says that there is none."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "PartLibrary":
        """Receiver of the environment of the part's function, which is this library."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Forget the environment: only machine code has a place for it, and only Python objects need it."""


class PartCompiler(Compiler):
    """numba's pipeline, ending in a ``PartLibrary``."""

    def define_pipelines(self) -> Any:
        """The passes, after which the library holds the code."""
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()
