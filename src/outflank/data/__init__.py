"""From published games to training arrays: fetching the games, finding them again, extracting
examples to learn from, splitting and encoding these."""

from outflank.data.datasets import DATASETS, Dataset, find_dataset, list_store
from outflank.data.encodings import (
    CLASS_OF_SQUARE,
    CLASSES,
    ENCODINGS,
    SQUARE_OF_CLASS,
    Encoding,
    find_encoding,
)
from outflank.data.example_folder import SETS, Manifest, SourceFile, open_examples
from outflank.data.examples import (
    AnyExamples,
    Examples,
    SymmetricExamples,
    ceiling,
    with_distinct_images,
    with_images,
    without_duplicates,
)
from outflank.data.extraction import EXTRACTION_STEPS, Extraction, extract_examples, gather_examples
from outflank.data.fetch import WTHOR_URL, fetch_wthor, take_wthor
from outflank.data.report import FetchReport, FileOutcome, FileResult, Patience, Progress
from outflank.data.splits import (
    SPLITS,
    Split,
    last_year_for,
    seen,
    seen_share,
    split_by_example,
    split_by_game,
    split_by_year,
    split_examples,
    unseen,
)
from outflank.data.store import StoredFile, list_wthor, store_folder, wthor_files, wthor_folder
from outflank.data.years import describe_years, parse_years

__all__ = [
    "CLASSES",
    "CLASS_OF_SQUARE",
    "DATASETS",
    "ENCODINGS",
    "EXTRACTION_STEPS",
    "SETS",
    "SPLITS",
    "SQUARE_OF_CLASS",
    "WTHOR_URL",
    "AnyExamples",
    "Dataset",
    "Encoding",
    "Examples",
    "Extraction",
    "FetchReport",
    "FileOutcome",
    "FileResult",
    "Manifest",
    "Patience",
    "Progress",
    "SourceFile",
    "Split",
    "StoredFile",
    "SymmetricExamples",
    "ceiling",
    "describe_years",
    "extract_examples",
    "fetch_wthor",
    "find_dataset",
    "find_encoding",
    "gather_examples",
    "last_year_for",
    "list_store",
    "list_wthor",
    "open_examples",
    "parse_years",
    "seen",
    "seen_share",
    "split_by_example",
    "split_by_game",
    "split_by_year",
    "split_examples",
    "store_folder",
    "take_wthor",
    "unseen",
    "with_distinct_images",
    "with_images",
    "without_duplicates",
    "wthor_files",
    "wthor_folder",
]
