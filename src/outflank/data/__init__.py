"""From published games to training arrays. Here: fetching the games, and finding them again."""

from outflank.data.datasets import DATASETS, Dataset, find_dataset, list_store
from outflank.data.fetch import WTHOR_URL, fetch_wthor, take_wthor
from outflank.data.report import FetchReport, FileResult, Outcome, Patience, Progress
from outflank.data.store import StoredFile, list_wthor, store_folder, wthor_files, wthor_folder
from outflank.data.years import describe_years, parse_years

__all__ = [
    "DATASETS",
    "WTHOR_URL",
    "Dataset",
    "FetchReport",
    "FileResult",
    "Outcome",
    "Patience",
    "Progress",
    "StoredFile",
    "describe_years",
    "fetch_wthor",
    "find_dataset",
    "list_store",
    "list_wthor",
    "parse_years",
    "store_folder",
    "take_wthor",
    "wthor_files",
    "wthor_folder",
]
