"""The lab's answers, by subject: every JSON object that it sends has a type here.

They are TypedDicts, so mypy checks the dicts where they are made and an object that goes over the
socket costs nothing more. Pydantic reads them too: it makes the API's document (/openapi.json),
checks the answers of routes, and the page's types (static/js/types.js) are written from them. What
a room below defines already, as a dataclass, is used as it is.
"""

from outflank.lab.answers.arena import (
    BegunTournament,
    Ladder,
    PairGame,
    Pairing,
    RatedPlayer,
    TournamentDetails,
    TournamentRow,
    TournamentState,
)
from outflank.lab.answers.explorer import (
    Explored,
    ExploredGame,
    ExploredMove,
    GameCounts,
    NotExplored,
)
from outflank.lab.answers.games import (
    Clock,
    GameList,
    GameResult,
    GameRow,
    RecordFormat,
    RecordRow,
    Records,
    Seat,
    Table,
    UnreadableGame,
)
from outflank.lab.answers.live import (
    LIVE,
    AnyLive,
    Gone,
    LiveError,
    Pong,
    RunNews,
    TableNews,
    Thinking,
    TournamentNews,
)
from outflank.lab.answers.numbers import Interval, Number
from outflank.lab.answers.players import ListedPlayer, PlayerGroup, PlayerOption, Players
from outflank.lab.answers.positions import (
    About,
    Opening,
    Place,
    PlaceInGame,
    Side,
)
from outflank.lab.answers.runs import (
    Curve,
    LearnerRow,
    PresetRow,
    RunDetails,
    RunRow,
    Series,
)
from outflank.lab.answers.studies import StudyResult, StudyRow
from outflank.lab.answers.thoughts import (
    Analysis,
    Hints,
    Opinion,
    Opinions,
    Review,
    ReviewedMove,
    Thought,
)

__all__ = [
    "LIVE",
    "About",
    "Analysis",
    "AnyLive",
    "BegunTournament",
    "Clock",
    "Curve",
    "Explored",
    "ExploredGame",
    "ExploredMove",
    "GameCounts",
    "GameList",
    "GameResult",
    "GameRow",
    "Gone",
    "Hints",
    "Interval",
    "Ladder",
    "LearnerRow",
    "ListedPlayer",
    "LiveError",
    "NotExplored",
    "Number",
    "Opening",
    "Opinion",
    "Opinions",
    "PairGame",
    "Pairing",
    "Place",
    "PlaceInGame",
    "PlayerGroup",
    "PlayerOption",
    "Players",
    "Pong",
    "PresetRow",
    "RatedPlayer",
    "RecordFormat",
    "RecordRow",
    "Records",
    "Review",
    "ReviewedMove",
    "RunDetails",
    "RunNews",
    "RunRow",
    "Seat",
    "Series",
    "Side",
    "StudyResult",
    "StudyRow",
    "Table",
    "TableNews",
    "Thinking",
    "Thought",
    "TournamentDetails",
    "TournamentNews",
    "TournamentRow",
    "TournamentState",
    "UnreadableGame",
]
