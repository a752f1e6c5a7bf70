"""The processes that train one network together; `torchrun` starts and numbers them."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outflank.errors import OutflankError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Team:
    """One of `size` processes. Rank 0 leads: only the leader writes files and decides."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process is the one that writes and decides."""
        return self.rank == 0

    def share(self, number: int) -> int:
        """Return the leader's number; all processes must ask at the same point."""
        if self.size == 1:
            return number
        import torch
        from torch import distributed

        device = "cuda" if distributed.get_backend() == "nccl" else "cpu"
        shared = torch.tensor([number], dtype=torch.int64, device=device)
        distributed.broadcast(shared, src=0)
        return int(shared.item())

    def add(self, numbers: Tensor) -> Tensor:
        """Return the sums over all processes, which must all ask at the same point."""
        if self.size > 1:
            from torch import distributed

            distributed.all_reduce(numbers)
        return numbers

    def leave(self) -> None:
        """End the connections to the other processes, when no network that they connect is left.

        Networks keep them, and their threads, which may abort the interpreter at its own end.
        """
        if self.size > 1:
            from torch import distributed

            gc.collect()
            distributed.destroy_process_group()


def join_team() -> Team:
    """Join the processes that `torchrun` started with this one, if it did."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Team()
    try:
        import torch
        import torch._dynamo  # after the processes have met it would keep their connections
        from torch import distributed
    except ImportError:
        raise OutflankError("training in several processes needs PyTorch") from None
    cuda = torch.cuda.is_available()
    if cuda:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    distributed.init_process_group("nccl" if cuda else "gloo")
    return Team(distributed.get_rank(), size)
